import { confirmedForMs, mostBetweenChecksMs, mostLapsed, rememberedMs } from '../hot/in-process-ledgers.ts'

/**
 * A ledger is one hash, so that a server that makes room lets go of all of it or nothing. Its fields: `epoch`, `opens`, `confirmed` (when, or 0),
 * `settlements`, `check`; `a:ACCOUNT`, which holds what is settled, what is open, and until when it is kept; `r:ID`, an open reservation as
 * JSON; `w:OWNER`, until when the owner lives. Beside it stands a set of ids that were settled of late. The rules are those of `in-process-ledgers.ts`.
 */

const shared = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ledger, done = KEYS[1], KEYS[2]
local function wasSettled(id) return redis.call('ZSCORE', done, id) end
local function noteSettled(id)
  redis.call('ZREMRANGEBYSCORE', done, '-inf', now - ${rememberedMs})
  redis.call('PEXPIRE', done, ${rememberedMs})
  return redis.call('ZADD', done, now, id) == 1
end
local function whole(number) return string.format('%.0f', number) end
local function account(text)
  if not text then return {0, 0, 0} end
  local settled, open, ends = string.match(text, '^(%S+) (%S+) (%S+)$')
  return {tonumber(settled), tonumber(open), tonumber(ends)}
end
local function inParts(command, all)
  for from = 1, #all, 2000 do redis.call(command, ledger, unpack(all, from, math.min(from + 1999, #all))) end
end
local held = {}
local function load(entries)
  local names, fields = {}, {}
  for _, entry in ipairs(entries) do
    if not held[entry.account] then
      held[entry.account] = {0, 0, 0}
      names[#names + 1] = entry.account
      fields[#fields + 1] = 'a:' .. entry.account
    end
  end
  for from = 1, #fields, 2000 do
    local found = redis.call('HMGET', ledger, unpack(fields, from, math.min(from + 1999, #fields)))
    for at, text in ipairs(found) do held[names[from + at - 1]] = account(text) end
  end
end
local function save()
  local all = {}
  for name, one in pairs(held) do
    all[#all + 1] = 'a:' .. name
    all[#all + 1] = whole(one[1]) .. ' ' .. whole(one[2]) .. ' ' .. whole(one[3])
  end
  if #all > 0 then inParts('HSET', all) end
end
local function openOne(id, text)
  if redis.call('HSETNX', ledger, 'r:' .. id, text) == 0 then return end
  local entries = cjson.decode(text).entries
  load(entries)
  for _, entry in ipairs(entries) do held[entry.account][2] = held[entry.account][2] + entry.amount end
end
local function closeOne(id)
  local text = redis.call('HGET', ledger, 'r:' .. id)
  if not text then return false end
  redis.call('HDEL', ledger, 'r:' .. id)
  local entries = cjson.decode(text).entries
  load(entries)
  for _, entry in ipairs(entries) do held[entry.account][2] = math.max(0, held[entry.account][2] - entry.amount) end
  return true
end
local function alive(owner, ownerMs)
  redis.call('HSET', ledger, 'w:' .. owner, whole(now + ownerMs))
  local check = tonumber(redis.call('HGET', ledger, 'check') or '0')
  if now + ownerMs < check then redis.call('HSET', ledger, 'check', whole(now + ownerMs)) end
end
`

const keepMs = 41 * 86_400_000

/** Makes the ledger where there is none. Gives when it opens, and whether what was settled has been told to it. */
const opening = `local function opened(epoch, graceMs)
  local known = redis.call('HMGET', ledger, 'epoch', 'opens', 'confirmed')
  local opens = tonumber(known[2] or '0')
  if not known[1] then
    redis.call('HSET', ledger, 'epoch', epoch, 'opens', whole(now + graceMs), 'confirmed', '0', 'settlements', '0')
    opens = now + graceMs
  elseif opens > now + graceMs then
    redis.call('HSET', ledger, 'opens', whole(now + graceMs))
    opens = now + graceMs
  end
  redis.call('PEXPIRE', ledger, ${keepMs})
  return opens, tonumber(known[3])
end
local function lapsed()
  if now < tonumber(redis.call('HGET', ledger, 'check') or '0') then return {} end
  local all = redis.call('HGETALL', ledger)
  local owners, open, gone, dead, holding = {}, {}, {}, {}, {}
  for at = 1, #all, 2 do
    local field, value = all[at], all[at + 1]
    local kind, name = string.sub(field, 1, 2), string.sub(field, 3)
    if kind == 'w:' then owners[name] = tonumber(value)
    elseif kind == 'r:' then open[#open + 1] = {name, value}
    elseif kind == 'a:' then
      local one = account(value)
      if one[2] == 0 and one[3] < now then gone[#gone + 1] = field end
    end
  end
  for _, one in ipairs(open) do
    local owner = cjson.decode(one[2]).owner
    holding[owner] = true
    if (owners[owner] or 0) <= now and #dead < ${mostLapsed} then dead[#dead + 1] = one end
  end
  local nextMs = now + ${mostBetweenChecksMs}
  for owner, ends in pairs(owners) do
    if ends > now then nextMs = math.min(nextMs, ends)
    elseif not holding[owner] then gone[#gone + 1] = 'w:' .. owner end
  end
  if #gone > 0 then inParts('HDEL', gone) end
  redis.call('HSET', ledger, 'check', whole(#dead > 0 and now or nextMs))
  return dead
end
`

/**
 * KEYS: the ledger, and its settled ids. ARGV: the order as JSON, the reservation as it is kept or '', an epoch for a new ledger. Gives the outcome, the entry
 * that has no room, how long to wait, the account of each entry, and lapsed reservations, and whether it is to be confirmed again.
 */
export const reserveScript = `${shared}${opening}
local order = cjson.decode(ARGV[1])
local id = order.id
local opens, confirmed = opened(ARGV[3], order.graceMs)
local dead = lapsed()
load(order.entries)
local stale = 0
local function answer(outcome, at, waitMs)
  local accounts = {}
  for _, entry in ipairs(order.entries) do
    accounts[#accounts + 1] = whole(held[entry.account][1])
    accounts[#accounts + 1] = whole(held[entry.account][2])
  end
  return {outcome, at, whole(waitMs), accounts, dead, stale}
end
if now < opens then return answer('waiting', -1, opens - now) end
if (confirmed or 0) == 0 then return answer('unconfirmed', -1, 0) end
if math.abs(now - confirmed) > ${confirmedForMs} then
  stale = 1
  redis.call('HSET', ledger, 'confirmed', whole(now))
end
if id and wasSettled(id) then return answer('refused', -1, 0) end
if id and redis.call('HEXISTS', ledger, 'r:' .. id) == 1 then return answer('granted', -1, 0) end
for at, entry in ipairs(order.entries) do
  local one = held[entry.account]
  if entry.most and entry.amount > 0 and one[1] + one[2] + entry.amount > entry.most then return answer('refused', at - 1, 0) end
end
if not id then return answer('granted', -1, 0) end
alive(order.owner, order.ownerMs)
openOne(id, ARGV[2])
for _, entry in ipairs(order.entries) do held[entry.account][3] = now + entry.ttlMs end
save()
return answer('granted', -1, 0)
`

/** KEYS: the ledger, and its settled ids. ARGV: the id, what it came to as JSON. */
export const settleScript = `${shared}
if redis.call('EXISTS', ledger) == 0 then return 'absent' end
local id = ARGV[1]
redis.call('HINCRBY', ledger, 'settlements', 1)
local isNew = noteSettled(id)
local isOpen = closeOne(id)
if isOpen and isNew then
  local spent = cjson.decode(ARGV[2])
  load(spent)
  for _, entry in ipairs(spent) do
    local one = held[entry.account]
    one[1] = one[1] + entry.amount
    one[3] = math.max(one[3], now + entry.ttlMs)
  end
end
save()
if isOpen and isNew then return 'settled' end
return 'unknown'
`

/** KEYS: the ledger, and its settled ids. ARGV: the owner as JSON, an epoch for a new ledger, then id and reservation by turns. Gives lapsed reservations. */
export const announceScript = `${shared}${opening}
local owner = cjson.decode(ARGV[1])
opened(ARGV[2], owner.graceMs)
alive(owner.owner, owner.ownerMs)
for at = 3, #ARGV, 2 do
  if not wasSettled(ARGV[at]) then openOne(ARGV[at], ARGV[at + 1]) end
end
save()
return lapsed()
`

/** KEYS: the ledger. Gives nothing where it is not there, else its epoch, its settlements, whether it is confirmed, and the ids of what is open. */
export const viewScript = `
local known = redis.call('HMGET', KEYS[1], 'epoch', 'settlements', 'confirmed')
if not known[1] then return {} end
local ids = {}
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.sub(field, 1, 2) == 'r:' then ids[#ids + 1] = string.sub(field, 3) end
end
return {known[1], known[2], known[3], ids}
`

/** KEYS: the ledger, and its settled ids. Removes both. */
export const dropScript = `return redis.call('DEL', KEYS[1], KEYS[2])`

/** KEYS: the ledger, and its settled ids. ARGV: epoch, settlements, sums as JSON, recorded ids as JSON. Gives 1 where that is what it holds now. */
export const confirmScript = `${shared}
local known = redis.call('HMGET', ledger, 'epoch', 'settlements', 'opens')
if known[1] ~= ARGV[1] or known[2] ~= ARGV[2] or now < tonumber(known[3] or '0') then return 0 end
for _, id in ipairs(cjson.decode(ARGV[4])) do
  closeOne(id)
  noteSettled(id)
end
local sums = cjson.decode(ARGV[3])
load(sums)
for _, sum in ipairs(sums) do
  held[sum.account][1] = sum.amount
  held[sum.account][3] = now + sum.ttlMs
end
save()
redis.call('HSET', ledger, 'confirmed', whole(now))
return 1
`
