import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

/** IPv4 first: most local servers are there. */
const thisMachine = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * As `dns.lookup`, but `localhost` and all names below it are this machine, whatever a name server says (RFC 6761, 6.3): so named are the addresses
 * of a tunnel whose server is on this machine.
 */
export const lookUp: LookupFunction = (hostname, options, done) => {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  if (name !== 'localhost' && !name.endsWith('.localhost')) {
    lookup(hostname, options, done)
    return
  }
  // As a name server would answer: not within the call.
  setImmediate(() => (options.all ? done(null, thisMachine) : done(null, '127.0.0.1', 4)))
}
