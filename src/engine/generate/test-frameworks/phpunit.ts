import { headerName } from '#catalogue/headers.ts'
import { defineTestFramework } from '../generators.ts'

export default defineTestFramework({
  id: 'phpunit',
  label: 'PHPUnit',
  folder: 'fixtures',
  test: ({ brand, header }) => ({
    path: 'WebhooksTest.php',
    text: `<?php

${header.map((line) => `// ${line}`.trimEnd()).join('\n')}

declare(strict_types=1);

use PHPUnit\\Framework\\Attributes\\DataProvider;
use PHPUnit\\Framework\\TestCase;

final class WebhooksTest extends TestCase
{
    /** @return iterable<string, array{string}> */
    public static function fixtures(): iterable
    {
        foreach (glob(__DIR__ . '/fixtures/*.json') as $file) {
            yield basename($file, '.json') => [$file];
        }
    }

    /** @dataProvider fixtures */
    #[DataProvider('fixtures')]
    public function testAcceptsAValidSignature(string $file): void
    {
        $body = file_get_contents($file);
        $this->assertStatus(2, self::send($file, $body, self::sign($body)));
    }

    /** @dataProvider fixtures */
    #[DataProvider('fixtures')]
    public function testRejectsAChangedBody(string $file): void
    {
        $body = file_get_contents($file);
        // It is still valid JSON: only its signature is wrong.
        $this->assertStatus(4, self::send($file, $body . ' ', self::sign($body)));
    }

    /** @dataProvider fixtures */
    #[DataProvider('fixtures')]
    public function testRejectsAMissingSignature(string $file): void
    {
        $this->assertStatus(4, self::send($file, file_get_contents($file), null));
    }

    /** @dataProvider fixtures */
    #[DataProvider('fixtures')]
    public function testAcceptsARepeatedDelivery(string $file): void
    {
        $body = file_get_contents($file);
        $this->assertStatus(2, self::send($file, $body, self::sign($body)));
        $this->assertStatus(2, self::send($file, $body, self::sign($body)));
    }

    private function assertStatus(int $class, int $status): void
    {
        self::assertSame($class, intdiv($status, 100), "Status {$status}");
    }

    /** Of the exact bytes: a parsed and formatted body has another signature. */
    private static function sign(string $body): string
    {
        return hash_hmac('sha256', $body, getenv('WEBHOOK_SECRET') ?: 'test-secret');
    }

    /** Returns the status of the response. */
    private static function send(string $file, string $body, ?string $signature): int
    {
        $headers = file(substr($file, 0, -5) . '.headers', FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES);
        if ($signature !== null) {
            $headers[] = '${headerName(brand, 'signature')}: ' . $signature;
        }
        $context = stream_context_create(['http' => [
            'method' => 'POST',
            'header' => $headers,
            'content' => $body,
            'timeout' => 10,
            'follow_location' => 0,
            'ignore_errors' => true,
        ]]);
        $url = getenv('WEBHOOK_URL') ?: 'http://127.0.0.1:3000/webhooks';
        $response = fopen($url, 'r', false, $context);
        self::assertNotFalse($response, "No response from {$url}");
        $statusLine = stream_get_meta_data($response)['wrapper_data'][0];
        fclose($response);
        return (int) explode(' ', $statusLine)[1];
    }
}
`,
  }),
})
