import { ChevronDown, FileUp, Inbox, PenLine, Plus } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useRef } from 'react'
import { eventTypes } from '#catalogue/catalogue.ts'
import { EventIcon } from '../../../components/EventIcon.tsx'
import { useFileStart } from './use-file-start.ts'
import '../../authorization/IntegrationSwitcher.css'

/** What a draft can begin from. */
export function NewMenu() {
  const input = useRef<HTMLInputElement>(null)
  const start = useFileStart()
  return (
    <>
      {/* Not modal: a modal menu locks scrolling with a style element, which the content security policy refuses. */}
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="button compose-new" data-compose-new>
          <Plus aria-hidden /> New <ChevronDown aria-hidden className="bar-more" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Content className="menu" align="start" sideOffset={6} data-scrolls>
          <DropdownMenu.Item
            className="menu-item"
            onSelect={() => location.assign('#/compose/empty')}
          >
            <span className="menu-tick">
              <PenLine aria-hidden />
            </span>
            Empty
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => input.current?.click()}>
            <span className="menu-tick">
              <FileUp aria-hidden />
            </span>
            From a file
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => location.assign('#/deliveries')}>
            <span className="menu-tick">
              <Inbox aria-hidden />
            </span>
            <span className="menu-words">
              From a delivery
              <small className="dim">open one, then “Edit and send”</small>
            </span>
          </DropdownMenu.Item>
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Label className="compose-menu-label">From a sample</DropdownMenu.Label>
          {eventTypes.map(({ type, label, view }) => (
            <DropdownMenu.Item
              key={type}
              className="menu-item"
              onSelect={() => location.assign(`#/compose/sample/${type}`)}
            >
              <span className="menu-tick">
                <EventIcon name={view.icon} />
              </span>
              <span className="cut">{label}</span>
              <small className="mono dim compose-menu-type">{type}</small>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Root>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File to begin from"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) start(file)
        }}
      />
    </>
  )
}
