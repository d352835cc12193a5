import { headerName } from '../headers.ts'
import { defineRawBodyCheck } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'aspnet',
  label: 'ASP.NET Core',
  language: 'C#',
  fileName: 'Program.cs',
  note: 'A parameter with [FromBody] consumes the bytes, and JsonSerializer writes them differently. Copy Request.Body first, then deserialize the copy. Kestrel responds with 413 to bodies over MaxRequestBodySize.',
  code: (brand) => `using System.Collections.Concurrent;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

var secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET");
if (string.IsNullOrEmpty(secret)) throw new InvalidOperationException("Set WEBHOOK_SECRET.");
var key = Encoding.UTF8.GetBytes(secret);
var json = new JsonSerializerOptions(JsonSerializerDefaults.Web);
// In production, use a table with a unique key: this forgets everything at a restart.
var seen = new ConcurrentDictionary<WebhookEvent, bool>();

bool IsAuthentic(byte[] rawBody, string signature)
{
    var expected = Convert.ToHexString(HMACSHA256.HashData(key, rawBody)).ToLowerInvariant();
    // In constant time; false when the lengths differ.
    return CryptographicOperations.FixedTimeEquals(
        Encoding.UTF8.GetBytes(expected), Encoding.UTF8.GetBytes(signature));
}

WebhookEvent? Parse(byte[] rawBody)
{
    try { return JsonSerializer.Deserialize<WebhookEvent>(rawBody, json); }
    catch (JsonException) { return null; }
}

void Process(WebhookEvent e)
{
    if (!seen.TryAdd(e, true)) return; // There is no event ID.
    if (e.Type is "OPEN_TAB" or "CLOSE_TAB" or "ORDER_PLACED" or "PRODUCT_UPDATED")
        Console.WriteLine($"{e.Type} {e.TargetUuid}"); // Ignore other types: new ones may be added.
}

var builder = WebApplication.CreateBuilder(args);
builder.WebHost.ConfigureKestrel(kestrel => kestrel.Limits.MaxRequestBodySize = 10 * 1024 * 1024);
var app = builder.Build();

app.MapPost("/webhooks", async (HttpRequest request) =>
{
    using var copy = new MemoryStream();
    await request.Body.CopyToAsync(copy);
    var rawBody = copy.ToArray();
    var signature = request.Headers["${headerName(brand, 'signature')}"].ToString();
    if (!IsAuthentic(rawBody, signature)) return Results.StatusCode(401);
    var e = Parse(rawBody);
    if (string.IsNullOrEmpty(e?.Type)) return Results.StatusCode(400);
    Process(e); // Long work belongs in a queue.
    return Results.StatusCode(204);
});

app.Run("http://127.0.0.1:3000");

record WebhookEvent(string? Type, string? TargetUuid, string? TargetId, string? CreatedAt);
`,
})
