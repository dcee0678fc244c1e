-- ARGV: id, item, "1" for a page, status, bytes, digest, where it was seen
local e = gone()
if e then return e end
if redis.call('SADD', key('known'), ARGV[2]) == 0 then return 0 end
count(ARGV[3], ARGV[4], tonumber(ARGV[5]), 1)
if ARGV[6] ~= '' then redis.call('HSETNX', key('payloads'), ARGV[6], ARGV[7]) end
return 1
