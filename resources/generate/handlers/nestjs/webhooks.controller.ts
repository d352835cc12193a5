import { Controller, Post, Req, Res } from '@nestjs/common'
import type { Request, Response } from 'express'
import { receive } from './webhooks.ts'

@Controller('webhooks')
export class WebhooksController {
  @Post()
  handle(@Req() req: Request, @Res() res: Response): void {
    const rawBody = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0) // Undefined if the body is empty.
    res.sendStatus(receive(rawBody, req.get('X-Service-Signature')))
  }
}
