import type { Diagnosis, DiagnosisCause } from '#contract/deliveries.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { plural } from '#shared/text/format.ts'
import { verdictStyle } from './delivery-line.ts'
import { colored } from './output.ts'

const places: Readonly<Record<DiagnosisCause['where'], string>> = {
  here: 'in Tabscope',
  dashboard: 'on the service’s dashboard',
  between: 'between the service and Tabscope',
  sender: 'in the code that signs',
}

const candidates: Readonly<Record<NonNullable<Diagnosis['candidate']>, string>> = {
  matches: 'The given secret produces this signature.',
  matches_changed: 'The given secret produces this signature with the change described above.',
  differs: 'The given secret does not produce this signature.',
}

/** `all`: also the causes that do not match. */
export function diagnosisText(diagnosis: Diagnosis, all: boolean): string {
  const { verdict, conclusion, causes, tried, exhaustive, candidate } = diagnosis
  const matching = causes.filter(({ outcome }) => outcome === 'matches')
  const others = causes.filter(({ outcome }) => outcome !== 'matches')
  const lines = [
    `${colored(verdictStyle(verdict), verdict)}  ${escapeControls(conclusion)}`,
    ...matching.flatMap((cause) => [
      '',
      `${colored('bold', escapeControls(cause.title))}  ${colored('gray', cause.code)}`,
      `  ${escapeControls(cause.detail)}`,
      `  Fix it ${places[cause.where]}: ${escapeControls(cause.fix)}`,
    ]),
  ]
  if (candidate !== null) lines.push('', candidates[candidate])
  if (all && others.length > 0) {
    lines.push(
      '',
      ...others.map(
        (cause) => `${outcomeText(cause)}  ${escapeControls(`${cause.title}. ${cause.detail}`)}`,
      ),
    )
  }
  const part = exhaustive ? '' : ' The body is too large to try all combinations.'
  const more =
    !all && others.length > 0
      ? ` To list ${plural(others.length, 'cause', 'causes')} that ${others.length === 1 ? 'does' : 'do'} not match: --all`
      : ''
  lines.push(
    '',
    colored('gray', `${plural(tried, 'signature', 'signatures')} computed.${part}${more}`),
  )
  return lines.join('\n')
}

function outcomeText({ outcome }: DiagnosisCause): string {
  return { matches: 'matches  ', ruled_out: 'ruled out', untried: 'not tried' }[outcome]
}
