import { createApp, ref, watch } from "vue";
import { createRouter, createWebHistory } from "vue-router";

// load asks as libraries did before fetch.
function load(address) {
  return new Promise((done, failed) => {
    const x = new XMLHttpRequest();
    x.open("GET", address);
    x.responseType = "json";
    x.onload = () => done({ body: x.response, url: x.responseURL, kind: x.getResponseHeader("content-type") });
    x.onerror = failed;
    x.send();
  });
}

// jsonp asks another host by a script with a function of its own.
function jsonp(address) {
  return new Promise((done) => {
    const name = `almanac_${Date.now()}`;
    window[name] = (answer) => { delete window[name]; script.remove(); done(answer); };
    const script = document.createElement("script");
    script.src = `${address}?callback=${name}`;
    document.head.append(script);
  });
}

const Months = {
  template: `<table id="months"><tr v-for="m in months" :key="m.name" :class="{ hot: m.mean > 15 }">
    <td>{{ m.name }}</td><td>{{ m.mean.toFixed(1) }} °C</td></tr></table><p id="from">{{ from }}</p><p id="moon">{{ moon }}</p>`,
  setup() {
    const months = ref([]), from = ref(""), moon = ref("");
    load("months.json").then(({ body, url, kind }) => { months.value = body; from.value = `${url} ${kind}`; });
    jsonp("https://moon.almanac.example/phase").then((a) => { moon.value = a.phase; });
    return { months, from, moon };
  },
};

const query = `query Find($q: String!, $stamp: String) { find(q: $q, stamp: $stamp) { title } }`;

const Search = {
  template: `<form @submit.prevent><input id="q" v-model.trim="q"></form><ol id="found"><li v-for="f in found">{{ f.title }}</li></ol>`,
  props: ["start"],
  setup(props) {
    const q = ref(props.start), found = ref([]);
    watch(q, async (q) => {
      const r = await fetch("/graphql", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ operationName: "Find", query, variables: { q, clientTime: Date.now() }, requestId: crypto.randomUUID() }),
      });
      found.value = (await r.json()).data.find;
    }, { immediate: true });
    return { q, found };
  },
};

const router = createRouter({
  history: createWebHistory("/almanac/"),
  routes: [
    { path: "/", component: Months },
    { path: "/search", name: "search", component: Search, props: (to) => ({ start: to.query.q }) },
  ],
});
document.cookie = "unit=celsius; path=/; max-age=3600";
createApp({
  data: () => ({ visits: `visit ${history.length > 0 ? 1 : 0} from ${document.referrer || "nowhere"}`, cookie: document.cookie }),
}).use(router).mount("#app");
