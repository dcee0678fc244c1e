-- ARGV: id, owner, turn, item, pause, refused, and if it is to come last its class, depth and itself
local e = gone()
if e then return e end
local id, host = ARGV[4], nil
if isOf(redis.call('HGET', key('leases'), id), ARGV[2], ARGV[3]) then
  local place = redis.call('HGET', key('places'), id)
  unlease(id, place)
  if ARGV[7] ~= '' then
    place = placeOf(ARGV[7], tonumber(ARGV[8])) .. hostOf(place)
    redis.call('HSET', key('places'), id, place)
    redis.call('HSET', key('items'), id, ARGV[9])
  end
  host = hostOf(place)
  queue(id, place)
  ready(host)
end
endturn(ARGV[2], ARGV[3], tonumber(ARGV[5]), tonumber(ARGV[6]), host)
return 1
