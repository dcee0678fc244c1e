import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

/**
 * A node of OpenSearch without the bootstrap checks of a server: java TestNode FOLDER NAME HTTP-PORT TRANSPORT-PORT SEED-PORT. With
 * org.elasticsearch for org.opensearch it is one of Elasticsearch.
 */
public final class TestNode extends Node {
    private TestNode(Settings settings, Path home) {
        super(new Environment(settings, home.resolve("config")), List.of(Netty4Plugin.class), false);
    }

    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]);
        Files.createDirectories(home.resolve("config"));
        String seed = "127.0.0.1:" + args[4];
        Settings.Builder settings = Settings.builder()
            .put("cluster.name", "varve-test")
            .put("node.name", args[1])
            .put("path.home", home.toString())
            .put("path.data", home.resolve("data").toString())
            .put("path.logs", home.resolve("logs").toString())
            .put("network.host", "127.0.0.1")
            .put("http.port", args[2])
            .put("transport.port", args[3])
            .put("transport.type", "netty4")
            .put("http.type", "netty4")
            .put("bootstrap.memory_lock", false)
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .put("action.auto_create_index", false);
        if (args[3].equals(args[4])) {
            settings.put("cluster.initial_master_nodes", args[1]);
        } else {
            // Only the first node may lead, so that the cluster stays one when another is killed.
            settings.putList("node.roles", "data", "ingest").putList("discovery.seed_hosts", seed);
        }
        Node node = new TestNode(settings.build(), home);
        node.start();
        System.out.println("started");
        while (System.in.read() >= 0) { } // until whoever started it ends
        node.close();
        System.exit(0);
    }
}
