-- ARGV: id of a crawl that is new, owner, format, lease, fixed and shared settings, order, per_host, delay, force, folder
local id = redis.call('HGET', crawl, 'id')
local function set()
  redis.call('HSET', crawl, 'fixed', ARGV[5], 'shared', ARGV[6], 'order', ARGV[7], 'per_host', ARGV[8], 'delay', ARGV[9])
end
local others = othersThan(ARGV[2])
if id == '' then return { 'half' } end
if not id then
  id = ARGV[1]
  redis.call('HSET', crawl, 'id', id, 'format', ARGV[3], 'ended', '')
  set()
else
  local was = redis.call('HMGET', crawl, 'format', 'fixed', 'shared')
  if was[1] ~= ARGV[3] then return { 'format', was[1] or '' } end
  if (was[2] ~= ARGV[5] or was[3] ~= ARGV[6]) and ARGV[10] == '' then return { 'differs', was[2], was[3], others } end
  if others == 0 then set() end
end
redis.call('ZADD', key('alive'), whole(now + ARGV[4]), ARGV[2])
redis.call('SADD', key('folders'), ARGV[11])
return { 'joined', id }
