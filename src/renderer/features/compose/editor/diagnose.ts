import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { Diagnostic } from '@codemirror/lint'
import type { EditorState } from '@codemirror/state'
import type { Finding } from '#contract/models.ts'
import { visible } from '../../../components/text/visible.ts'
import { fromHex } from '../body/hex-text.ts'
import { jsonFault } from './json-faults.ts'
import { placeInTree } from './json-place.ts'
import type { Language } from './setup.ts'

interface Known {
  readonly language: Language
  /** What Tabscope would find if the body arrived so. */
  readonly findings: readonly Finding[]
  /** Placeholders are filled in before it goes out. */
  readonly filled: boolean
}

/** What there is to say of a text, each at its place: where it is no JSON, and what departs from the service's document. */
export function diagnosticsOf(state: EditorState, known: Known): Diagnostic[] {
  // Line ends count as one character in the editor, whatever they are.
  const text = state.doc.toString()
  switch (known.language) {
    case 'text':
      return []
    case 'hex': {
      const reading = fromHex(text)
      if (reading.ok) return []
      const { at, to, message } = reading
      return [{ from: at, to: Math.min(to, text.length), severity: 'error', message }]
    }
    case 'json': {
      if (text.trim() === '') return []
      const fault = jsonFault(text, known.filled)
      if (fault) return [{ ...fault, severity: 'error' }]
      return fromFindings(state, known.findings)
    }
  }
}

function fromFindings(state: EditorState, findings: readonly Finding[]): Diagnostic[] {
  const tree = ensureSyntaxTree(state, state.doc.length, 100) ?? syntaxTree(state)
  const slice = (from: number, to: number): string => state.sliceDoc(from, to)
  return findings.flatMap((finding) => {
    const place = placeInTree(tree, slice, finding.place)
    if (!place) return []
    return [
      {
        ...place,
        severity: finding.severity,
        message: sentenceOf(finding),
        source: visible(finding.place),
      },
    ]
  })
}

function sentenceOf({ message, expected, actual }: Finding): string {
  const more = [
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(actual === undefined ? [] : [`here ${actual}`]),
  ]
  return visible(more.length === 0 ? message : `${message} (${more.join(', ')})`)
}
