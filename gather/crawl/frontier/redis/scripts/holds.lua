-- ARGV: id, owner, turn, item, lease
local e = gone()
if e then return e end
if not isOf(redis.call('HGET', key('leases'), ARGV[4]), ARGV[2], ARGV[3]) then return 0 end
redis.call('HSET', key('leases'), ARGV[4], ARGV[2] .. ' ' .. ARGV[3] .. ' w')
redis.call('ZADD', key('alive'), whole(now + ARGV[5]), ARGV[2])
return 1
