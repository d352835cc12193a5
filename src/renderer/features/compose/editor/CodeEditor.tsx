import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Finding } from '#contract/models.ts'
import type { Editor, Layout } from './open-editor.ts'
import { openEditor } from './open-editor.ts'
import type { Language } from './setup.ts'

interface Props {
  /** What is written at first; later it is the editor's own. */
  readonly text: string
  /** What came, to hold it against; null: nothing did. */
  readonly original: string | null
  readonly layout: Layout
  readonly language: Language
  /** Whether it is short enough to be checked while it is written. */
  readonly checked: boolean
  readonly brand: string
  readonly findings: readonly Finding[]
  /** Placeholders are filled in before it goes out. */
  readonly filled: boolean
  readonly onChange: (text: string) => void
  /** Told of the editor when it is there, and with null when it goes. */
  readonly onEditor: (editor: Editor | null) => void
}

/** Up to this many characters a text is read at each key; a longer one when the keys rest for so many milliseconds. */
const small = 64 * 1024
const rest = 250

/** The editor, in a shadow root of its own. Another language is another editor: give it another key. */
export function CodeEditor(props: Props) {
  const { text, original, layout, language, checked, brand, findings, filled, onChange } = props
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
      layout,
      text: before?.sliceDoc() ?? latest.current.text,
      original,
      language,
      checked,
      label: 'Body',
      originalLabel: 'Body as captured',
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
  }, [layout, original, language, checked, onEditor])

  useEffect(() => own.current?.check(findings, filled), [findings, filled])

  return <div className="code-editor" ref={host} data-testid="body-editor" />
}
