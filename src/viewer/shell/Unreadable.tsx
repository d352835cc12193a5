import { FileWarning } from '#renderer/ui/icons.tsx'
import { Empty } from '#renderer/ui/Empty.tsx'

/** Error page for a log that cannot be opened. */
export function Unreadable({ message }: { readonly message: string }) {
  return (
    <main className="full">
      <h1 className="visually-hidden">Event log</h1>
      <Empty icon={<FileWarning aria-hidden />} title="This event log cannot be opened">
        {message}
      </Empty>
    </main>
  )
}
