import { expect, it } from 'vitest'
import { createLaunchTickets } from '#hosts/node/serve/interface-server.ts'

function ticketsAt() {
  let time = 0
  const tickets = createLaunchTickets(() => time)
  return { tickets, pass: (ms: number) => void (time += ms) }
}

it('is valid once', () => {
  const { tickets } = ticketsAt()
  const ticket = tickets.issue()
  expect(ticket).toMatch(/^[\w-]{43}$/)
  expect(tickets.redeem(ticket)).toBe(true)
  expect(tickets.redeem(ticket)).toBe(false)
})

it('is valid for two minutes', () => {
  const { tickets, pass } = ticketsAt()
  const first = tickets.issue()
  pass(119_999)
  expect(tickets.redeem(first)).toBe(true)
  const second = tickets.issue()
  pass(120_000)
  expect(tickets.redeem(second)).toBe(false)
})

it('is not invalidated by wrong guesses, but by the next ticket', () => {
  const { tickets } = ticketsAt()
  expect(tickets.redeem('')).toBe(false)
  const first = tickets.issue()
  for (const guess of ['', 'A'.repeat(43), `${first}A`, first.slice(1)])
    expect(tickets.redeem(guess)).toBe(false)
  const second = tickets.issue()
  expect(second).not.toBe(first)
  expect(tickets.redeem(first)).toBe(false)
  expect(tickets.redeem(second)).toBe(true)
})
