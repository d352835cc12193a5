import { expect, test } from 'vitest'
import { hostOf, knownAddresses, locationOfAddress } from '#engine/platform/http/addresses.ts'

test.each([
  ['loopback', ['127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1']],
  ['loopback', ['0.0.0.0', '::', '::ffff:0.0.0.0']],
  ['private', ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.4.2']],
  ['private', ['169.254.169.254', '100.64.0.1', '100.127.255.255', '::ffff:10.0.0.1']],
  ['private', ['fc00::1', 'fdff::1', 'fe80::1', 'febf::1', 'fe80::1%eth0']],
  ['public', ['8.8.8.8', '172.15.255.255', '172.32.0.0', '192.169.0.1', '100.128.0.1', '11.0.0.0']],
  ['public', ['128.0.0.1', '126.255.255.255', '169.253.0.1', '0.1.2.3', '255.255.255.255']],
  // Other forms of IPv4 addresses in IPv6 go through a third party, or are obsolete.
  ['public', ['::ffff:8.8.8.8', '2001:db8::1', '64:ff9b::7f00:1', '::127.0.0.1', 'fec0::1', '::2']],
])('%s: %j', (place, addresses) => {
  for (const address of addresses) expect(locationOfAddress(address), address).toBe(place)
})

const known = (url: string) => knownAddresses(hostOf(new URL(url)))

test('localhost and the names below it are this machine; other names are looked up', () => {
  const here = ['127.0.0.1', '::1']
  expect(known('http://localhost/')).toEqual(here)
  expect(known('http://LocalHost.:3000/')).toEqual(here)
  expect(known('http://menu.localhost/')).toEqual(here)
  expect(known('http://mylocalhost/')).toBeNull()
  expect(known('http://localhost.example/')).toBeNull()
  expect(known('http://[::1]/')).toEqual(['::1'])
  expect(known('http://0x7f.1/')).toEqual(['127.0.0.1'])
})
