-- ARGV: id, owner, turn, item, class, depth, host, the item itself, folder. It returns the item and how many answers in a row asked its host
-- to be left alone, "" if the item is not to be had. While the host is left alone, the last of these answers and this one count as one.
local e = gone()
if e then return e end
local id = ARGV[4]
redis.call('HSET', key('writers'), ARGV[2], ARGV[9]) -- a process that was given up may come back so
local lease = redis.call('HGET', key('leases'), id)
local function item()
  local at = redis.call('HMGET', key('host:' .. hostOf(redis.call('HGET', key('places'), id))), 'refused', 'next')
  local refused = tonumber(at[1]) or 0
  if refused > 0 and (tonumber(at[2]) or 0) > now then refused = refused - 1 end
  return { redis.call('HGET', key('items'), id), refused }
end
if isOf(lease, ARGV[2], ARGV[3]) then return item() end -- asked once more, because the answer was lost
if lease then return '' end
if redis.call('HEXISTS', key('places'), id) == 0 and not enqueue(id, ARGV[5], tonumber(ARGV[6]), ARGV[7], ARGV[8]) then return '' end
local place = redis.call('HGET', key('places'), id)
redis.call('ZREM', key('queue:' .. hostOf(place)), string.sub(place, 1, 27) .. id)
ready(hostOf(place))
redis.call('HSET', key('leases'), id, ARGV[2] .. ' ' .. ARGV[3])
redis.call('HSET', key('turns:' .. ARGV[2]), ARGV[3], id)
if classOf(place) ~= '0' then add('held_pages', 1) end
return item()
