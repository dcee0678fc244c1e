-- ARGV: id, owner, turn, item, class, depth, host, the item itself, folder. It returns the item, "" if it is not to be had.
local e = gone()
if e then return e end
local id = ARGV[4]
redis.call('HSET', key('writers'), ARGV[2], ARGV[9]) -- a process that was given up may come back so
local lease = redis.call('HGET', key('leases'), id)
if isOf(lease, ARGV[2], ARGV[3]) then return redis.call('HGET', key('items'), id) end -- asked once more, because the answer was lost
if lease then return '' end
if redis.call('HEXISTS', key('places'), id) == 0 and not enqueue(id, ARGV[5], tonumber(ARGV[6]), ARGV[7], ARGV[8]) then return '' end
local place = redis.call('HGET', key('places'), id)
redis.call('ZREM', key('queue:' .. hostOf(place)), string.sub(place, 1, 27) .. id)
ready(hostOf(place))
redis.call('HSET', key('leases'), id, ARGV[2] .. ' ' .. ARGV[3])
redis.call('HSET', key('turns:' .. ARGV[2]), ARGV[3], id)
if classOf(place) ~= '0' then add('held_pages', 1) end
return redis.call('HGET', key('items'), id)
