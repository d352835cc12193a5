import type { DiagnosisOutput } from '#contract/cli-output/deliveries.ts'
import type { Diagnosis, DiagnosisCause } from '#contract/deliveries.ts'
import { printable } from '../printable.ts'
import { verdictStyle } from './delivery-line.ts'
import { coloured } from './output.ts'
import { counted } from './text.ts'

/** Why the signature of a delivery failed, as `--json` prints it. */
export function diagnosisOutput(deliveryId: number, diagnosis: Diagnosis): DiagnosisOutput {
  const { verdict, conclusion, causes, tried, exhaustive, candidate } = diagnosis
  return {
    event: 'diagnosis',
    deliveryId,
    verdict,
    conclusion,
    causes: causes.map(causeOutput),
    tried,
    exhaustive,
    candidate,
  }
}

function causeOutput({ code, title, outcome, detail, fix, where }: DiagnosisCause) {
  return { code, title, outcome, detail, fix, where }
}

const places: Readonly<Record<DiagnosisCause['where'], string>> = {
  here: 'in Tabscope',
  dashboard: 'on the service’s dashboard',
  between: 'between the service and Tabscope',
  sender: 'where it is signed',
}

const candidates: Readonly<Record<NonNullable<Diagnosis['candidate']>, string>> = {
  matches: 'The given secret makes this signature.',
  matches_changed: 'The given secret makes this signature with the change described above.',
  differs: 'The given secret does not make this signature.',
}

/** Why the signature failed, for people; with `all` every cause that was tried. */
export function diagnosisText(diagnosis: Diagnosis, all: boolean): string {
  const { verdict, conclusion, causes, tried, exhaustive, candidate } = diagnosis
  const matching = causes.filter(({ outcome }) => outcome === 'matches')
  const others = causes.filter(({ outcome }) => outcome !== 'matches')
  const lines = [
    `${coloured(verdictStyle(verdict), verdict)}  ${printable(conclusion)}`,
    ...matching.flatMap((cause) => [
      '',
      `${coloured('bold', printable(cause.title))}  ${coloured('gray', cause.code)}`,
      `  ${printable(cause.detail)}`,
      `  Fix it ${places[cause.where]}: ${printable(cause.fix)}`,
    ]),
  ]
  if (candidate !== null) lines.push('', candidates[candidate])
  if (all && others.length > 0) {
    lines.push(
      '',
      ...others.map(
        (cause) => `${outcomeText(cause)}  ${printable(`${cause.title}. ${cause.detail}`)}`,
      ),
    )
  }
  const part = exhaustive ? '' : ' The body is too large to try everything.'
  const more =
    !all && others.length > 0
      ? ` To list ${counted(others.length, 'cause', 'causes')} that ${others.length === 1 ? 'does' : 'do'} not match: --all`
      : ''
  lines.push(
    '',
    coloured('gray', `${counted(tried, 'signature', 'signatures')} computed.${part}${more}`),
  )
  return lines.join('\n')
}

function outcomeText({ outcome }: DiagnosisCause): string {
  return { matches: 'matches  ', ruled_out: 'ruled out', untried: 'not tried' }[outcome]
}
