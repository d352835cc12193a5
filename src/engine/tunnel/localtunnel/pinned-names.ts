import dns, { type LookupAddress } from 'node:dns'
import { isIPv6 } from 'node:net'
import { knownAddresses, lookUp } from '../../http/addresses.ts'

interface Wish {
  readonly all?: boolean | undefined
  readonly family?: number | undefined
}
type Done = (error: Error | null, address: unknown, family?: number) => void

/**
 * Looks names up for all sockets of this thread. `localhost` and all below it are this machine without any asking (RFC 6761), 127.0.0.1 first,
 * where the door is. Any other name is asked for once: so a server cannot move to an inner address between its answer and our connections, and
 * ten connections do not take ten turns in the pool of threads that the journal's syncs wait for as well.
 * Returns what finds them.
 */
export function pinNames(): (host: string) => Promise<readonly LookupAddress[]> {
  const pinned = new Map<string, Promise<readonly LookupAddress[]>>()
  const addressesOf = (host: string): Promise<readonly LookupAddress[]> => {
    const before = pinned.get(host)
    if (before) return before
    const asked = found(host)
    pinned.set(host, asked)
    asked.catch(() => pinned.delete(host))
    return asked
  }
  const answer = async (host: string, { all, family }: Wish, done: Done): Promise<void> => {
    let addresses: readonly LookupAddress[]
    try {
      addresses = (await addressesOf(host)).filter((one) => !family || one.family === family)
      if (!addresses[0]) {
        throw Object.assign(new Error(`no address for ${host}`), { code: 'ENOTFOUND' })
      }
    } catch (error) {
      process.nextTick(done, error, all ? [] : '')
      return
    }
    // Outside of the promise: what the one who asked throws is no failure of the lookup.
    const [first] = addresses
    if (all) process.nextTick(done, null, addresses)
    else process.nextTick(done, null, first?.address, first?.family)
  }
  Object.assign(dns, {
    lookup: (host: string, wish: Wish | number | Done, done?: Done) => {
      if (typeof wish === 'function') void answer(host, {}, wish)
      else if (done) void answer(host, typeof wish === 'number' ? { family: wish } : wish, done)
    },
  })
  return addressesOf
}

function found(host: string): Promise<readonly LookupAddress[]> {
  const known = knownAddresses(host.replace(/\.$/, ''))
  if (known) return Promise.resolve(withFamily(known))
  return new Promise((resolve, reject) => {
    lookUp(host, (error, addresses) => {
      if (error) reject(error)
      else resolve(withFamily(addresses).toSorted((a, b) => a.family - b.family))
    })
  })
}

const withFamily = (addresses: readonly string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
