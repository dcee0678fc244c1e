-- ARGV: how many hosts are forgotten at once, owner. It returns how many processes are at work, or -1 if there is more to forget.
local others = othersThan(ARGV[2])
if others > 0 then return others end
if redis.call('EXISTS', crawl) == 0 then return 0 end
redis.call('HSET', crawl, 'id', '') -- nobody goes on with half of it
for _, host in ipairs(redis.call('SPOP', key('hosts'), tonumber(ARGV[1]))) do
  redis.call('UNLINK', key('queue:' .. host), key('host:' .. host))
end
if redis.call('SCARD', key('hosts')) > 0 then return -1 end
for _, owner in ipairs(redis.call('ZRANGE', key('alive'), 0, -1)) do redis.call('UNLINK', key('turns:' .. owner)) end
for _, folder in ipairs(redis.call('SMEMBERS', key('folders'))) do
  redis.call('UNLINK', key('unsettled:' .. folder), key('repeated:' .. folder))
end
for _, name in ipairs({ 'folders', 'parts', 'pages', 'known', 'passed', 'items', 'places', 'leases', 'doubts', 'doubtful', 'writers', 'last', 'alive', 'widens', 'docs', 'order' }) do
  redis.call('UNLINK', key(name))
end
redis.call('UNLINK', crawl)
return 0
