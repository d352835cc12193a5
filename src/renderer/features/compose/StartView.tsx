import { FileUp, Inbox, PanelLeft, PenLine } from 'lucide-react'
import { useRef, useState } from 'react'
import { eventTypes } from '#catalogue/catalogue.ts'
import { Button } from '../../components/Button.tsx'
import { EventIcon } from '../../components/EventIcon.tsx'
import { counted } from '../../components/text/numbers.ts'
import { useShell } from '../shell/store.ts'
import { useFileStart } from './drafts/use-file-start.ts'
import { useCompose } from './store.ts'
import './StartView.css'

/** Nothing is open: what a request can begin from. */
export function StartView() {
  const deliveries = useShell((state) => state.stats.deliveries)
  const start = useFileStart()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  return (
    <div
      className="compose-start"
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file) start(file)
      }}
    >
      <div className="compose-start-inner">
        <Button
          className="compose-list-button"
          icon={<PanelLeft aria-hidden />}
          onClick={() => useCompose.setState({ listShown: true })}
        >
          Drafts
        </Button>
        <header>
          <h2>What do you want to send?</h2>
          <p>
            A delivery that came, edited or not, or one that you write. It is signed as you write,
            and what came back is kept under it.
          </p>
        </header>
        <ul className="start-ways">
          <li>
            <a href="#/deliveries" className="start-way">
              <Inbox aria-hidden />
              <b>A delivery</b>
              <span className="dim">
                {deliveries === 0
                  ? 'None came yet. One will be in the list.'
                  : `Open one of ${counted(deliveries, 'delivery', 'deliveries')}, then “Edit and send”.`}
              </span>
            </a>
          </li>
          <li>
            <button type="button" className="start-way" onClick={() => input.current?.click()}>
              <FileUp aria-hidden />
              <b>A file</b>
              <span className="dim">Choose it, or drop it here: its bytes are the body.</span>
            </button>
            <input
              ref={input}
              type="file"
              hidden
              aria-label="File to begin with"
              onChange={(event) => {
                const file = event.target.files?.[0]
                event.target.value = ''
                if (file) start(file)
              }}
            />
          </li>
          <li>
            <a href="#/compose/empty" className="start-way">
              <PenLine aria-hidden />
              <b>Nothing</b>
              <span className="dim">An empty body, and the headers that every delivery has.</span>
            </a>
          </li>
        </ul>
        <section aria-labelledby="start-samples">
          <h3 id="start-samples">Or a sample from the document</h3>
          <ul className="start-samples">
            {eventTypes.map(({ type, label, fired, view }) => (
              <li key={type}>
                <a href={`#/compose/sample/${type}`} className="start-sample" title={plain(fired)}>
                  <EventIcon name={view.icon} />
                  <span className="start-sample-words">
                    <span className="cut">{label}</span>
                    <small className="mono cut dim">{type}</small>
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </div>
  )
}

function plain(text: string): string {
  return text.replaceAll('`', '')
}
