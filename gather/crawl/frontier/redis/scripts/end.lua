-- ARGV: id, owner, how it ended, seconds
local e = gone()
if e then return e end
if reclaim(ARGV[2], 0) == 1 then redis.call('HINCRBYFLOAT', crawl, 'seconds', ARGV[4]) end
if ARGV[3] ~= '' and redis.call('HLEN', key('places')) == 0 then redis.call('HSET', crawl, 'ended', ARGV[3]) end
return 1
