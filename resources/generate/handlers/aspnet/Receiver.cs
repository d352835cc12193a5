using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Threading.Channels;

namespace Webhooks;

public sealed class Receiver(EventHandlers handlers, ILogger<Receiver> logger) : BackgroundService
{
    private const int MaxSeen = 100_000;
    private readonly byte[][] secrets = ReadSecrets();
    // In production, use a table with a unique key instead: this forgets everything at a restart.
    private readonly HashSet<string> seen = [];
    private readonly Queue<string> order = new();
    // In production, use a queue that survives a restart.
    private readonly Channel<(string Key, EventBase Event)> queue =
        Channel.CreateUnbounded<(string Key, EventBase Event)>();

    private static byte[][] ReadSecrets()
    {
        var secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET");
        if (string.IsNullOrEmpty(secret)) throw new InvalidOperationException("Set WEBHOOK_SECRET.");
        var previous = Environment.GetEnvironmentVariable("WEBHOOK_PREVIOUS_SECRET");
        string[] all = string.IsNullOrEmpty(previous) ? [secret] : [secret, previous];
        return all.Select(each => Encoding.UTF8.GetBytes(each)).ToArray();
    }

    /// <summary>Verifies the bytes of a request as received. Returns the status to respond with.</summary>
    public int Receive(byte[] rawBody, string signature)
    {
        if (!secrets.Any(secret => Matches(secret, rawBody, signature))) return 401;
        switch (WebhookEvents.Parse(rawBody))
        {
            case EventBase known:
                Accept(known);
                return 204;
            case UnknownEvent unknown:
                logger.LogInformation("Ignored an event of the type {Type}: it is not known.", unknown.Type);
                return 204;
            default:
                return 400;
        }
    }

    private static bool Matches(byte[] secret, byte[] rawBody, string signature)
    {
        var expected = Convert.ToHexString(HMACSHA256.HashData(secret, rawBody)).ToLowerInvariant();
        // In constant time; false when the lengths differ.
        return CryptographicOperations.FixedTimeEquals(
            Encoding.UTF8.GetBytes(expected), Encoding.UTF8.GetBytes(signature));
    }

    private void Accept(EventBase e)
    {
        // There is no event ID.
        var key = JsonSerializer.Serialize(new object?[]
        {
            e.Type, e.TargetUuid, e.TargetId, e.LocationUuid, e.LocationId, e.CreatedAt,
        });
        lock (seen)
        {
            if (!seen.Add(key)) return;
            order.Enqueue(key);
            if (order.Count > MaxSeen) seen.Remove(order.Dequeue());
            queue.Writer.TryWrite((key, e));
        }
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await foreach (var (key, e) in queue.Reader.ReadAllAsync(stoppingToken))
        {
            try
            {
                await handlers.Handle(e);
                Console.WriteLine($"Processed {key}");
            }
            catch (Exception error)
            {
                lock (seen) seen.Remove(key); // It is processed if it is sent again.
                logger.LogError(error, "Failed to process {Key}", key);
            }
        }
    }
}
