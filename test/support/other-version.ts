import { openControl } from '#hosts/control/server.ts'
import type { TestEngine } from './engine.ts'

/** A Tabscope of version 0.0.1 on the folder of the engine. */
export async function openOtherVersion({ engine, dataDir }: TestEngine): Promise<AsyncDisposable> {
  const control = await openControl(
    {
      announceControl: (address) => engine.announceControl(address),
      connect: (send) =>
        engine.connect((frame) =>
          send(frame.kind === 'welcome' ? { ...frame, version: '0.0.1' } : frame),
        ),
    },
    dataDir,
    { warn: () => undefined },
  )
  return { [Symbol.asyncDispose]: () => control.close() }
}
