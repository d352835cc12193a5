import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Finding } from '#contract/models.ts'
import { type Editor, openEditor, type Language } from './open-editor.ts'

interface Props {
  /** The initial text. Later changes stay in the editor. */
  readonly text: string
  /** The original text to compare with; null if there is none. */
  readonly original: string | null
  readonly language: Language
  /** Whether the text is short enough to be checked while typing. */
  readonly checked: boolean
  readonly brand: string
  readonly findings: readonly Finding[]
  /** Whether placeholders are filled in before sending. */
  readonly filled: boolean
  readonly onChange: (text: string) => void
  /** Called with the editor when it opens, and with null when it closes. */
  readonly onEditor: (editor: Editor | null) => void
}

/** Up to this many characters a text is checked at each key, a longer one after a pause of `rest` milliseconds. */
const small = 64 * 1024
const rest = 250

/** The code editor, in its own shadow root. Use a different component key for a different language. */
export function CodeEditor(props: Props) {
  const { text, original, language, checked, brand, findings, filled, onChange } = props
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef({ text, brand, findings, filled, onChange })
  const own = useRef<Editor | null>(null)
  const left = useRef<ReturnType<Editor['state']> | null>(null)
  const { onEditor } = props

  useLayoutEffect(() => {
    latest.current = { text, brand, findings, filled, onChange }
  })

  useLayoutEffect(() => {
    const element = host.current
    if (!element) return undefined
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const before = left.current
    let timer: ReturnType<typeof setTimeout> | undefined
    const opened = openEditor({
      root,
      text: before?.sliceDoc() ?? latest.current.text,
      original,
      language,
      checked,
      label: 'Body',
      brand: () => latest.current.brand,
      onChange: (written) => {
        latest.current.onChange(written)
        if (timer !== undefined) clearTimeout(timer)
        if (written.length <= small) opened.checkReading(latest.current.filled)
        else timer = setTimeout(() => opened.checkReading(latest.current.filled), rest)
      },
      before,
    })
    own.current = opened
    onEditor(opened)
    opened.check(latest.current.findings, latest.current.filled)
    return () => {
      clearTimeout(timer)
      left.current = opened.state()
      own.current = null
      onEditor(null)
      opened.close()
    }
  }, [original, language, checked, onEditor])

  useEffect(() => own.current?.check(findings, filled), [findings, filled])

  return (
    <div
      className="min-h-(--measure-key) flex-1 border-t border-t-line-soft bg-surface focus-within:outline-2 focus-within:-outline-offset-2 focus-within:outline-accent"
      ref={host}
      data-testid="body-editor"
    />
  )
}
