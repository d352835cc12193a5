using Webhooks;

var builder = WebApplication.CreateBuilder(args);
// Larger bodies get 413.
builder.WebHost.ConfigureKestrel(kestrel => kestrel.Limits.MaxRequestBodySize = 10 * 1024 * 1024);
builder.Services.AddSingleton<EventHandlers>();
builder.Services.AddSingleton<Receiver>();
builder.Services.AddHostedService(services => services.GetRequiredService<Receiver>());
var app = builder.Build();

// The bytes as received: a parameter with [FromBody] would be parsed.
app.MapPost("/webhooks", async (HttpRequest request, Receiver receiver) =>
{
    using var copy = new MemoryStream();
    await request.Body.CopyToAsync(copy);
    var signature = request.Headers["X-Service-Signature"].ToString();
    return Results.StatusCode(receiver.Receive(copy.ToArray(), signature));
});

app.Run($"http://127.0.0.1:{Environment.GetEnvironmentVariable("PORT") ?? "3000"}");
