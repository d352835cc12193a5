import { describe, expect, it } from 'vitest'
import { LogFormatView } from '#contract/logs.ts'
import { type LogFormat, logFormats } from '#engine/event-logs/formats.ts'
import type { LogItem } from '#engine/event-logs/items.ts'
import { formatChecks } from '#test/support/event-log/format-checks.ts'
import { canary, hostile } from '#test/support/event-log/hostile.ts'
import { sampleItem } from '#test/support/event-log/sample-item.ts'
import { sampleEnv, sampleHead, sampleLog, written } from '#test/support/event-log/sample-log.ts'

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const note = 'Secrets were replaced by pseudonyms, the same for the same value.'

const log = sampleLog()
const head = sampleHead(log, note)
const ids = log.flatMap((item) => (item.kind === 'delivery' ? [item.delivery.fields.id] : []))

it('has checks for each format', () => {
  const unchecked = logFormats.map(({ id }) => id).filter((id) => !(id in formatChecks))
  expect(unchecked, 'add them in test/support/event-log/format-checks.ts').toEqual([])
  expect(logFormats.length).toBeGreaterThanOrEqual(7)
})

describe.each(logFormats.map((format): [string, LogFormat] => [format.id, format]))(
  'the format %s',
  (id, format) => {
    const check = formatChecks[id]
    const textOf = (items: readonly LogItem[], its = sampleHead(items, note)): string =>
      strict.decode(written(format, items, its))

    let all: string | null = null
    const whole = (): string => {
      all ??= textOf(log, head)
      return all
    }

    it('describes itself', () => {
      const { single: _single, write: _write, ...view } = format
      expect(LogFormatView.strict().parse(view)).toEqual(view)
      expect(view.label).toMatch(/^\S.*\S$/)
      expect(view.description).toMatch(/^[A-Z].*\.$/)
      expect(view.extension).toMatch(/^[a-z0-9]+$/)
      expect(view.mediaType).toMatch(/^[a-z]+\/[a-z0-9.+-]+(?:; charset=utf-8)?$/)
    })

    it('writes everything that a log may contain, and is valid', () => {
      expect(check?.deliveriesIn(whole())).toEqual(ids)
    })

    it('is valid without deliveries, and without any items', () => {
      const aside = log.filter(({ kind }) => kind !== 'delivery')
      expect(check?.deliveriesIn(textOf(aside))).toEqual([])
      expect(check?.deliveriesIn(textOf([]))).toEqual([])
    })

    it('writes the same bytes for the same log', () => {
      expect(textOf(sampleLog(), head) === whole()).toBe(true)
    })

    it('never writes an invalid value or half a character', () => {
      expect(whole()).not.toMatch(/\bundefined\b|\bNaN\b|\bInfinity\b|\[object /)
      for (const piece of format.write(head, log, sampleEnv)) {
        if (typeof piece === 'string') expect(piece.isWellFormed()).toBe(true)
      }
    })

    it('writes what it has before it requests another mebibyte', () => {
      const body = JSON.stringify({ text: 'x'.repeat(100_000) })
      let asked = 0
      let askedAtPiece = 0
      let most = 0
      function* items(): Generator<LogItem> {
        for (let at = 1; at <= 30; at += 1) {
          asked += 1
          most = Math.max(most, asked - askedAtPiece)
          yield sampleItem(at, body)
        }
      }
      let longest = 0
      for (const piece of format.write(head, items(), sampleEnv)) {
        askedAtPiece = asked
        longest = Math.max(longest, piece.length)
      }
      expect(asked).toBe(30)
      expect(most).toBeLessThanOrEqual(10)
      expect(longest).toBeLessThan(12 * body.length)
    })

    it('stops reading when the consumer stops', () => {
      let over = false
      function* items(): Generator<LogItem> {
        try {
          for (let at = 1; at <= 100; at += 1) yield sampleItem(at, 'x'.repeat(70_000))
        } finally {
          over = true
        }
      }
      const pieces = format.write(head, items(), sampleEnv)
      for (let at = 0; at < 12; at += 1) expect(pieces.next().done).toBe(false)
      pieces.return()
      expect(over).toBe(true)
    })

    it('keeps hostile text as data', () => {
      expect(whole()).toContain(canary)
      check?.assertInert?.(whole())
      // The redaction note may come from a foreign log.
      const foreign = textOf(log, sampleHead(log, hostile('note')))
      expect(check?.deliveriesIn(foreign)).toEqual(ids)
      check?.assertInert?.(foreign)
    })
  },
)
