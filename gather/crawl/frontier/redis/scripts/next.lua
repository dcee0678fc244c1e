-- ARGV: id, owner, turn, lease, grace, limits of pages, documents and bytes, folder
local e = gone()
if e then return e end
local owner, turn = ARGV[2], ARGV[3]
redis.call('ZADD', key('alive'), whole(now + ARGV[4]), owner)
redis.call('HSET', key('writers'), owner, ARGV[9])

for _, dead in ipairs(redis.call('ZRANGEBYSCORE', key('alive'), '-inf', whole(now), 'LIMIT', 0, 4)) do
  reclaim(dead, tonumber(ARGV[5]))
  add('deaths', 1)
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', key('doubts'), '-inf', whole(now), 'LIMIT', 0, 16)) do
  local folder = string.match(redis.call('HGET', key('doubtful'), id), '^%S+')
  redis.call('HSET', key('repeated:' .. folder), id, cjson.decode(redis.call('HGET', key('items'), id)).key)
  requeue(id)
end

local function answer(id, waits, wait, limit)
  local host, item = {}, ''
  if id then
    item = redis.call('HGET', key('items'), id)
    host = redis.call('HMGET', key('host:' .. hostOf(redis.call('HGET', key('places'), id))), 'crawl', 'refused')
  end
  return { item, host[1] or '0', host[2] or '0', waits, whole(wait), redis.call('HLEN', key('leases')), limit,
    redis.call('ZCARD', key('widens')), number('deaths') }
end

local last = redis.call('HGET', key('last'), owner)
if last and last == turn .. ' ' .. string.sub(last, -22) then -- asked once more, because the answer was lost
  local id = string.sub(last, -22)
  if isOf(redis.call('HGET', key('leases'), id), owner, turn) then return answer(id, 0, 0, '') end
end

local function reached(limit, field) return limit > 0 and number(field) >= limit end
local pages, limit = tonumber(ARGV[6]), ''
if reached(tonumber(ARGV[7]), 'docs') then
  limit = 'max_docs'
elseif reached(tonumber(ARGV[8]), 'bytes') then
  limit = 'max_bytes'
elseif reached(pages, 'pages') then
  limit = 'max_pages'
end
if limit == 'max_docs' or limit == 'max_bytes' then return answer(nil, 0, 0, limit) end

local first = redis.call('ZRANGE', key('parts'), 0, 0, 'WITHSCORES')
if pages == 0 or number('pages') + number('held_pages') < pages then
  local page = redis.call('ZRANGE', key('pages'), 0, 0, 'WITHSCORES')
  if not first[1] or page[1] and tonumber(page[2]) < tonumber(first[2]) then first = page end
end
local host = first[1]
if not host then return answer(nil, 0, 0, limit) end
if tonumber(first[2]) > now then return answer(nil, 1, tonumber(first[2]) - now, limit) end

local entry = redis.call('ZRANGE', key('queue:' .. host), 0, 0)[1]
local id = string.sub(entry, 28)
redis.call('ZREM', key('queue:' .. host), entry)
redis.call('HSET', key('leases'), id, owner .. ' ' .. turn)
redis.call('HSET', key('turns:' .. owner), turn, id .. host)
redis.call('HSET', key('last'), owner, turn .. ' ' .. id)
if classOf(entry) ~= '0' then add('held_pages', 1) end
local h = key('host:' .. host)
redis.call('HINCRBY', h, 'asking', 1)
local slow = tonumber(redis.call('HGET', h, 'crawl')) or 0
redis.call('HSET', h, 'next', whole(now + math.max(slow, number('delay'))))
ready(host)
return answer(id, 0, 0, limit)
