-- ARGV: id, "1" if it begins, address that widens, key and text of documents and how many they are, number of items; of each item its id, class,
-- depth, host and itself; of each address that is left out its id, reason, trap, and "1" if the reason may pass
local e = gone()
if e then return e end
if ARGV[2] == '1' then redis.call('HSETNX', crawl, 'begun', whole(now)) end
if ARGV[3] ~= '' then redis.call('ZADD', key('widens'), 'NX', redis.call('ZCARD', key('widens')), ARGV[3]) end
if ARGV[4] ~= '' and redis.call('HSETNX', key('docs'), ARGV[4], ARGV[5]) == 1 then
  redis.call('ZADD', key('order'), 0, ARGV[4])
  add('docs', tonumber(ARGV[6]))
end
local hosts, at = {}, 8
for _ = 1, tonumber(ARGV[7]) do
  if enqueue(ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2]), ARGV[at + 3], ARGV[at + 4]) then hosts[ARGV[at + 3]] = true end
  at = at + 5
end
for host in pairs(hosts) do ready(host) end
while ARGV[at] do
  if ARGV[at + 3] ~= '1' then
    if redis.call('SADD', key('known'), ARGV[at]) == 1 then skip(ARGV[at + 1], ARGV[at + 2]) end
  elseif redis.call('SISMEMBER', key('known'), ARGV[at]) == 0 and redis.call('SADD', key('passed'), ARGV[at]) == 1 then
    skip(ARGV[at + 1], ARGV[at + 2])
  end
  at = at + 4
end
return 1
