import type { Finding } from '#contract/models.ts'
import type { TokenGrant } from './grant.ts'

/** Clocks this far apart are told, in seconds: a request takes a while, and a clock is never quite right. */
const tolerated = 30

export interface ClockLook {
  readonly findings: Finding[]
  /** The end of the token when it is in the past, in seconds since the epoch; null while it is not. */
  readonly expired: number | null
}

/**
 * Compares the service's times with ours: `now` and the answer's `Date` in milliseconds since the epoch. When `Date` agrees with `initiated` it is our
 * clock that is wrong, and an end that is in the past by our clock alone is no reason to refuse the token.
 */
export function lookAtClock(
  { initiated, expires }: Pick<TokenGrant, 'initiated' | 'expires'>,
  now: number,
  date: number | null,
): ClockLook {
  const ours = now / 1000
  const theirs = date === null ? null : date / 1000
  const oursIsWrong =
    theirs !== null &&
    !near(ours, theirs) &&
    (initiated === null ? expires !== null && expires > theirs : near(initiated, theirs))
  const findings: Finding[] = []
  if (oursIsWrong) {
    findings.push(
      clockFinding(
        'clock_ours',
        `This computer’s clock is ${apart(ours - theirs)} the service’s. Set it right: until then times of tokens are off here.`,
        theirs,
        ours,
      ),
    )
  } else if (initiated !== null && !near(initiated, ours)) {
    const service = theirs !== null && near(theirs, ours)
    findings.push(
      clockFinding(
        service ? 'clock_service' : 'clock_skew',
        service
          ? `initiated is ${apart(initiated - ours)} the time at which the service answered.`
          : `initiated is ${apart(initiated - ours)} this computer’s clock. One of the two is wrong.`,
        ours,
        initiated,
      ),
    )
  }
  const reference = oursIsWrong ? theirs : ours
  return { findings, expired: expires !== null && expires <= reference ? expires : null }
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= tolerated
}

function apart(seconds: number): string {
  const whole = Math.round(Math.abs(seconds))
  return `${whole} seconds ${seconds > 0 ? 'ahead of' : 'behind'}`
}

function clockFinding(what: string, message: string, expected: number, actual: number): Finding {
  return {
    code: `token.${what}`,
    severity: 'warning',
    place: 'body.initiated',
    message,
    expected: String(Math.round(expected)),
    actual: String(Math.round(actual)),
  }
}
