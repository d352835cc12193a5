import type { Diagnosis, DiagnosisCause } from '#contract/deliveries.ts'
import { coloured } from './output.ts'
import { printable } from '../printable.ts'

const places: Readonly<Record<DiagnosisCause['where'], string>> = {
  here: 'here, in Tabscope',
  dashboard: 'on the service’s dashboard',
  between: 'between the service and here',
  sender: 'where it is signed',
}

const candidates: Readonly<Record<NonNullable<Diagnosis['candidate']>, string>> = {
  matches: 'The secret that you gave makes this signature.',
  matches_changed:
    'The secret that you gave makes this signature when something is changed, as told above.',
  differs: 'The secret that you gave does not make this signature.',
}

/** A diagnosis as people read it in a terminal; with `all` every cause that was tried. */
export function diagnosisText(diagnosis: Diagnosis, all: boolean): string {
  const { verdict, conclusion, causes, tried, exhaustive, candidate } = diagnosis
  const matching = causes.filter(({ outcome }) => outcome === 'matches')
  const others = causes.filter(({ outcome }) => outcome !== 'matches')
  const lines = [
    `${coloured(verdict === 'valid' ? 'green' : 'red', verdict)}  ${printable(conclusion)}`,
    ...matching.flatMap((cause) => [
      '',
      `${coloured('bold', printable(cause.title))}  ${coloured('gray', cause.code)}`,
      `  ${printable(cause.detail)}`,
      `  To do ${places[cause.where]}: ${printable(cause.fix)}`,
    ]),
  ]
  if (candidate !== null) lines.push('', candidates[candidate])
  if (all && others.length > 0) {
    lines.push(
      '',
      ...others.map(
        (cause) => `${outcomeWord(cause)}  ${printable(`${cause.title}. ${cause.detail}`)}`,
      ),
    )
  }
  const count = tried === 1 ? 'One signature was' : `${tried.toLocaleString('en')} signatures were`
  const more =
    !all && others.length > 0
      ? ` ${others.length} other causes were looked at: --all lists them.`
      : ''
  const part = exhaustive ? '' : ' The body is so large that not everything could be tried.'
  lines.push('', coloured('gray', `${count} computed.${part}${more}`))
  return lines.join('\n')
}

function outcomeWord({ outcome }: DiagnosisCause): string {
  switch (outcome) {
    case 'matches':
      return 'matches  '
    case 'ruled_out':
      return 'ruled out'
    case 'untried':
      return 'not tried'
  }
}
