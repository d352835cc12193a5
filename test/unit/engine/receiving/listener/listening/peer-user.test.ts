import { expect, it } from 'vitest'
import { usersOf } from '#engine/receiving/listener/listening/port-owner.ts'

// The format of Linux: addresses in the machine's byte order, ports and states in hexadecimal.
const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1CE8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 41 1 0 100 0 0 10 0
   1: 0100007F:1CE8 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 42 1 0 20 4 30 10 -1
   2: 0100007F:C350 0100007F:1CE8 01 00000000:00000000 00:00000000 00000000  1001        0 43 1 0 20 4 30 10 -1
   3: 0500007F:C350 0100007F:1CE8 01 00000000:00000000 00:00000000 00000000  1002        0 44 1 0 20 4 30 10 -1
   4: 0100007F:C351 0100007F:1CE8 01 00000000:00000000 00:00000000 00000000  1003        0 45 1 0 20 4 30 10 -1
`

it('finds the users at the other end of a connection, and no others', () => {
  expect(usersOf(table, 50_000, 7400)).toEqual([1001, 1002])
  expect(usersOf(table, 50_001, 7400)).toEqual([1003])
  expect(usersOf(table, 7400, 50_000)).toEqual([1000])
  expect(usersOf(table, 50_002, 7400)).toEqual([])
  expect(usersOf('', 50_000, 7400)).toEqual([])
})
