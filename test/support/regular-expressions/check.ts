// Checks regular expressions that are not yet listed in linear.json with recheck, which proves how their time grows with the input, and
// adds linear ones to the list. Others are reported with an attack string: rewrite the expression, or explain in bounded.ts
// why its input is bounded. Run it after you add or change an expression. recheck brings a JVM, 58 MB, so it is not among the dependencies:
//   npm install --no-save recheck@4.5.0 && node test/support/regular-expressions/check.ts
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'
import { growth, linearGrowth } from '../growth.ts'
import { bounded } from './bounded.ts'
import { expressionsInSource, linearExpressions, linearFile, repetitionIn } from './in-source.ts'

const Pump = z.object({ prefix: z.string(), pump: z.string() })
const Verdict = z.object({
  status: z.string(),
  attack: z.object({ pumps: z.array(Pump), suffix: z.string() }).nullish(),
})
const Recheck = z.object({
  checkSync: z.function({
    input: [z.string(), z.string(), z.object({ timeout: z.number() })],
    output: Verdict,
  }),
})
const { checkSync } = Recheck.parse(createRequire(import.meta.url)('recheck'))

const known = new Set(linearExpressions())
const linear = new Set<string>()
const isBounded = new Set(bounded.map(({ text }) => text))

for (const { file, line, text, pattern } of expressionsInSource()) {
  if (!pattern || !repetitionIn(pattern.source).unbounded || isBounded.has(text)) continue
  if (known.has(text)) {
    linear.add(text)
    continue
  }
  const { source, flags } = pattern
  const verdict = checkSync(source, flags, { timeout: 60_000 })
  const attack = verdict.status === 'vulnerable' ? (verdict.attack ?? null) : null
  // It takes a repetition of up to 200 for one without a bound. The engine itself decides.
  const grows =
    attack !== null &&
    growth((size) => {
      const input =
        attack.pumps.map(({ prefix, pump }) => prefix + pump.repeat(size)).join('') + attack.suffix
      return () => input.replace(new RegExp(source, flags), '')
    }, 2000) >= linearGrowth
  if (verdict.status === 'safe' || (attack !== null && !grows)) linear.add(text)
  else {
    process.exitCode = 1
    console.log(`${file}:${line}: ${text}\n  ${verdict.status}: ${JSON.stringify(attack?.pumps)}`)
  }
}

writeFileSync(linearFile, `${JSON.stringify([...linear].toSorted(), null, 2)}\n`)
console.log(`${linear.size} linear`)
