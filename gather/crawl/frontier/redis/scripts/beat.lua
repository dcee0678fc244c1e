-- ARGV: id, owner, lease
local e = gone()
if e then return e end
redis.call('ZADD', key('alive'), whole(now + ARGV[3]), ARGV[2])
return 1
