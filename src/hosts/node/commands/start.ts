import { servingCommand } from '../serving.ts'

// `launch.mjs` opens the desktop app and does not come here where Electron runs. Elsewhere it is `serve`.
export const command = servingCommand(
  'start',
  'Open the desktop app; where it cannot run, the interface in a browser',
  [
    ['Open the desktop app', 'start'],
    ['With a data folder of its own', 'start --data ./bug-1234'],
  ],
)
