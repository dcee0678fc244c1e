-- ARGV: id, owner, turn, item, pause, refused, "1" for a page, status, bytes, reason, trap, digest, where it was seen, folder,
-- what to remember until it is settled, steps that failed
local e = gone()
if e then return e end
local id, written = ARGV[4], ARGV[8] ~= '0'
local place = redis.call('HGET', key('places'), id)
local lease = redis.call('HGET', key('leases'), id)
local mine = isOf(lease, ARGV[2], ARGV[3])
-- Another may be writing it at this moment; what a dead process of the same folder was writing is what has been found there.
local function taken()
  if mine or not lease or string.sub(lease, -2) ~= ' w' or redis.call('ZSCORE', key('doubts'), id) then return false end
  return redis.call('HGET', key('writers'), string.match(lease, '^%S+')) ~= ARGV[14]
end
local isNew = place and (mine or written and not taken())
if isNew then
  if lease then
    unlease(id, place)
  else
    redis.call('ZREM', key('queue:' .. hostOf(place)), string.sub(place, 1, 27) .. id)
    ready(hostOf(place))
  end
  redis.call('HDEL', key('items'), id)
  redis.call('HDEL', key('places'), id)
  if written then
    count(ARGV[7], ARGV[8], tonumber(ARGV[9]), 1)
    if ARGV[16] ~= '0' then add('failed', tonumber(ARGV[16])) end
    redis.call('HDEL', key('repeated:' .. ARGV[14]), id)
    redis.call('HSET', key('unsettled:' .. ARGV[14]), id, ARGV[15])
    if ARGV[12] ~= '' then redis.call('HSETNX', key('payloads'), ARGV[12], ARGV[13]) end
  else
    skip(ARGV[10], ARGV[11])
  end
end
endturn(ARGV[2], ARGV[3], tonumber(ARGV[5]), tonumber(ARGV[6]), place and hostOf(place))
return isNew and 1 or 0
