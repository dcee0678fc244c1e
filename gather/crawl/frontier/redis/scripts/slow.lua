-- ARGV: id, host, pause
local e = gone()
if e then return e end
if ARGV[3] == '0' then
  redis.call('HDEL', key('host:' .. ARGV[2]), 'crawl')
else
  redis.call('HSET', key('host:' .. ARGV[2]), 'crawl', ARGV[3])
end
return 1
