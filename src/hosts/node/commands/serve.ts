import { servingCommand } from '../serving.ts'

export const command = servingCommand(
  'serve',
  'Receive webhooks, and serve the interface for a browser',
  [
    ['Open the interface in a browser', 'serve'],
    ['Open an event log that somebody sent', 'serve friday.tabscope'],
    ['Without a browser, on fixed ports', 'serve --no-open --port 4780 --ui-port 4781'],
  ],
)
