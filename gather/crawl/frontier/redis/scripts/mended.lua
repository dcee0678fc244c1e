-- ARGV: id, folder, number of items that were repeated, and these; marks of those that still write
local e = gone()
if e then return e end
local at = 4
for _ = 1, tonumber(ARGV[3]) do
  redis.call('HDEL', key('repeated:' .. ARGV[2]), ARGV[at])
  at = at + 1
end
local writing = {}
while ARGV[at] do
  writing[ARGV[at]] = true
  at = at + 1
end
local all = redis.call('HGETALL', key('doubtful'))
for i = 1, #all, 2 do
  local folder, owner = string.match(all[i + 1], '^(%S+) (.*)$')
  if folder == ARGV[2] and not writing[string.sub(owner, 1, 8)] then requeue(all[i]) end
end
return 1
