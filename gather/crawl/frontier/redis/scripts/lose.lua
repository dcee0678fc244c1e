-- ARGV: id, folder, item, "1" for a page, status, bytes, digest; class, depth, host and the item itself; steps that failed
local e = gone()
if e then return e end
local id = ARGV[3]
if redis.call('HDEL', key('unsettled:' .. ARGV[2]), id) == 0 then return 0 end
if redis.call('HEXISTS', key('places'), id) == 1 then return 0 end
count(ARGV[4], ARGV[5], tonumber(ARGV[6]), -1)
if ARGV[12] ~= '0' then add('failed', -tonumber(ARGV[12])) end
if ARGV[7] ~= '' then redis.call('HDEL', key('payloads'), ARGV[7]) end
redis.call('SREM', key('known'), id)
enqueue(id, ARGV[8], tonumber(ARGV[9]), ARGV[10], ARGV[11])
ready(ARGV[10])
return 1
