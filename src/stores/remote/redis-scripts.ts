/**
 * Each runs as one step of the server. Times are the server's own, so that processes need not agree on theirs; numbers go through texts,
 * because Redis cuts what a script returns to whole numbers.
 */

const now = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/** KEYS: the sum. ARGV: amount, most, ttl in ms. Gives whether it was taken, what is left, and when the sum ends. */
export const takeScript = `${now}
local amount, most, ttl = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local before = tonumber(redis.call('GET', KEYS[1]) or '0')
local lasts = redis.call('PTTL', KEYS[1])
if lasts < 0 then lasts = ttl end
local sum = math.max(0, before + amount)
if amount > 0 and sum > most then
  return {0, string.format('%.17g', math.max(0, most - before)), string.format('%.0f', now + lasts)}
end
redis.call('SET', KEYS[1], string.format('%.17g', sum), 'PX', math.max(1, lasts))
return {1, string.format('%.17g', math.max(0, most - sum)), string.format('%.0f', now + lasts)}
`

/** KEYS: the lease. ARGV: owner, ttl in ms. Gives 1 where the owner has it. */
export const leaseScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`

/** KEYS: the lease. ARGV: owner. */
export const releaseScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 0
`
