-- ARGV: id, "" for whatever there is
if ARGV[1] ~= '' then
  local e = gone()
  if e then return e end
end
return { redis.call('HGETALL', crawl), redis.call('ZRANGE', key('widens'), 0, -1),
  redis.call('ZRANGEBYSCORE', key('alive'), '(' .. whole(now), '+inf') }
