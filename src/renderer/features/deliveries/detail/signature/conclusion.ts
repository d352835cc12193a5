import type { Delivery, SignatureReport } from '#contract/models.ts'
import { verdictChange } from '../../recheck.ts'

/** The verdict at arrival and the one with the current secrets, in a sentence: the same in the banner and on the Signature tab. */
export function currentConclusion(
  { verdict, recheck }: Delivery,
  { verdict: now, computed }: SignatureReport,
): string {
  const secretName = computed.find(({ matches }) => matches)?.secretName ?? null
  return verdictChange(recheck?.verdictAtArrival ?? verdict, now, secretName)
}
