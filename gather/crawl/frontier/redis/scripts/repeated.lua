-- ARGV: id, folder. It returns the keys of what others have written since, or write now.
local e = gone()
if e then return e end
local all, keys = redis.call('HGETALL', key('repeated:' .. ARGV[2])), {}
for i = 1, #all, 2 do
  local lease = redis.call('HGET', key('leases'), all[i])
  if redis.call('HEXISTS', key('places'), all[i]) == 0 or lease and string.sub(lease, -2) == ' w' then keys[#keys + 1] = all[i + 1] end
end
return keys
