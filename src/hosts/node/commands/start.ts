import { servingCommand } from '../serve/serving.ts'

// If Electron can run, `launch.mjs` opens the desktop app and this code is not reached. Otherwise it works like `serve`.
export const command = servingCommand(
  'start',
  'Open the desktop app; if it cannot run, open the interface in a browser',
  [
    ['Open the desktop app', 'start'],
    ['Use a separate data folder', 'start --data ./bug-1234'],
  ],
)
