-- What all operations have in common. KEYS[1] is the hash of the crawl; the names of its other keys begin with that. Times are
-- microseconds of Redis's clock.
local crawl = KEYS[1]
local function key(name) return crawl .. ':' .. name end
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local function whole(n) return string.format('%.0f', n) end
local function number(field) return tonumber(redis.call('HGET', crawl, field)) or 0 end
local function add(field, n)
  if redis.call('HINCRBY', crawl, field, n) == 0 then redis.call('HDEL', crawl, field) end
end

-- A place is how an item stands in the queue of its host: a class, its depth and a number, 27 digits. The queue has places with the ids
-- of items behind them; places has, for each id, the place with the host behind it.
local function classOf(place) return string.sub(place, 1, 1) end
local function hostOf(place) return string.sub(place, 28) end

local function placeOf(class, depth)
  local n = redis.call('HINCRBY', crawl, 'number', 1)
  if class == '1' and redis.call('HGET', crawl, 'order') == 'depth' then -- the deepest and last first
    depth, n = 4294967295 - depth, 9007199254740991 - n
  end
  return string.format('%s%010.0f%016.0f', class, depth, n)
end

-- ready has a host stand among those that may be asked, at the time when it may, if it has a turn left and something queued: in one
-- set if it has parts, in another if it has pages.
local function ready(host)
  local at = redis.call('HMGET', key('host:' .. host), 'asking', 'next')
  local first, last
  if (tonumber(at[1]) or 0) < number('per_host') then
    first = redis.call('ZRANGE', key('queue:' .. host), 0, 0)[1]
    last = redis.call('ZRANGE', key('queue:' .. host), -1, -1)[1]
  end
  local function stand(set, stands)
    if stands then
      redis.call('ZADD', key(set), at[2] or '0', host)
    else
      redis.call('ZREM', key(set), host)
    end
  end
  stand('parts', first and classOf(first) == '0')
  stand('pages', last and classOf(last) ~= '0')
end

local function queue(id, place) redis.call('ZADD', key('queue:' .. hostOf(place)), 0, string.sub(place, 1, 27) .. id) end

-- enqueue puts an item behind the others of its host, unless its id is known, and returns whether it did.
local function enqueue(id, class, depth, host, item)
  if redis.call('SADD', key('known'), id) == 0 then return false end
  local place = placeOf(class, depth) .. host
  redis.call('HSET', key('items'), id, item)
  redis.call('HSET', key('places'), id, place)
  redis.call('SADD', key('hosts'), host)
  redis.call('HSET', crawl, 'ended', '')
  queue(id, place)
  return true
end

-- A lease says whose an item is: the process and the number of the turn, and "w" once its answer is being written. It returns whether it
-- is the one of a turn.
local function isOf(lease, owner, turn)
  return lease and (lease == owner .. ' ' .. turn or lease == owner .. ' ' .. turn .. ' w')
end

local function unlease(id, place)
  redis.call('HDEL', key('leases'), id)
  if redis.call('ZREM', key('doubts'), id) == 1 then redis.call('HDEL', key('doubtful'), id) end
  if classOf(place) ~= '0' then add('held_pages', -1) end
end

local function rest(h, pause)
  local next = tonumber(redis.call('HGET', h, 'next')) or 0
  if now + pause > next then redis.call('HSET', h, 'next', whole(now + pause)) end
end

-- endturn ends a turn of a process at a host, which is left alone for a while then; -1 is as long as before. What was claimed had no turn: its
-- host, "of", is left alone only if it asks for that.
local function endturn(owner, turn, pause, refused, of)
  local at = redis.call('HGET', key('turns:' .. owner), turn)
  if not at then return end
  redis.call('HDEL', key('turns:' .. owner), turn)
  local host = string.sub(at, 23)
  if host == '' then
    if of and refused > 0 then
      rest(key('host:' .. of), pause)
      redis.call('HSET', key('host:' .. of), 'refused', refused)
      ready(of)
    end
    return
  end
  local h = key('host:' .. host)
  if redis.call('HINCRBY', h, 'asking', -1) <= 0 then redis.call('HDEL', h, 'asking') end
  if pause >= 0 then
    rest(h, pause)
    if refused > 0 then redis.call('HSET', h, 'refused', refused) else redis.call('HDEL', h, 'refused') end
  end
  ready(host)
end

-- requeue takes back an item that is leased, for whoever asks next.
local function requeue(id)
  local place = redis.call('HGET', key('places'), id)
  unlease(id, place)
  queue(id, place)
  ready(hostOf(place))
end

-- reclaim takes back what a process holds. What it may have written just before it died is left in doubt for a while: whoever has its files
-- can say.
local function reclaim(owner, grace)
  local turns = redis.call('HGETALL', key('turns:' .. owner))
  for i = 1, #turns, 2 do
    local turn, id = turns[i], string.sub(turns[i + 1], 1, 22)
    local lease = redis.call('HGET', key('leases'), id)
    local writer = redis.call('HGET', key('writers'), owner)
    if grace > 0 and writer and lease == owner .. ' ' .. turn .. ' w' then
      redis.call('ZADD', key('doubts'), whole(now + grace), id)
      redis.call('HSET', key('doubtful'), id, writer .. ' ' .. owner)
    elseif isOf(lease, owner, turn) then
      requeue(id)
    end
    endturn(owner, turn, -1, 0)
  end
  redis.call('DEL', key('turns:' .. owner))
  redis.call('HDEL', key('last'), owner)
  redis.call('HDEL', key('writers'), owner)
  return redis.call('ZREM', key('alive'), owner)
end

-- count adds what became of an item n times.
local function count(page, status, bytes, n)
  add('status:' .. status, n)
  add('bytes', n * bytes)
  if page ~= '1' then
    add('parts', n)
  elseif tonumber(status) < 300 or tonumber(status) > 399 then -- a redirect is on the way to a page
    add('pages', n)
  end
end

local function skip(reason, trap)
  add('skip:' .. reason, 1)
  if trap ~= '' then add('trap:' .. trap, 1) end
end

-- othersThan returns how many processes are alive beside one.
local function othersThan(owner)
  local alive = redis.call('ZCOUNT', key('alive'), '(' .. whole(now), '+inf')
  local own = redis.call('ZSCORE', key('alive'), owner)
  if own and tonumber(own) > now then alive = alive - 1 end
  return alive
end

-- gone says that the crawl isn't the one that a process has joined.
local function gone()
  local id = redis.call('HGET', crawl, 'id')
  if not id then return redis.error_reply('VARVEGONE') end
  if id ~= ARGV[1] then return redis.error_reply('VARVEANEW') end
end

