/**
 * Programs that read `bodies.json`, an object of lists of bodies by model, and print a line for each: `none`, `known TYPE openedFrom name` or
 * `unknown TYPE payload`.
 */

export const python = `
import importlib.util, json, sys

def load(file):
    spec = importlib.util.spec_from_file_location(file, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[file] = module
    spec.loader.exec_module(module)
    return module

sys.stdout.reconfigure(encoding="utf-8")
bodies = json.load(open("bodies.json", encoding="utf-8"))
for file in sys.argv[1:]:
    module = load(file)
    for body in bodies[file.split("-")[0]]:
        event = module.parse_event(body.encode())
        if event is None:
            print("none")
        elif isinstance(event, module.UnknownEvent):
            print("unknown", event.type, json.dumps(event.payload, default=float))
        else:
            data = event.data
            print("known", event.type, getattr(data, "opened_from", None), getattr(data, "name", None))
`

export const go = `package main

import (
	"encoding/json"
	"fmt"
	"os"

	documented "corpus/documented"
	observed "corpus/observed"
)

func text(s *string) string {
	if s == nil {
		return "None"
	}
	return *s
}

func main() {
	var bodies map[string][]string
	file, _ := os.ReadFile("bodies.json")
	if err := json.Unmarshal(file, &bodies); err != nil {
		panic(err)
	}
	for _, body := range bodies["documented"] {
		event, err := documented.ParseEvent([]byte(body))
		if err != nil {
			fmt.Println("none")
			continue
		}
		switch event := event.(type) {
		case *documented.UnknownEvent:
			fmt.Println("unknown", event.Type, string(event.Payload))
		case *documented.OpenTabEvent:
			data := event.Data
			if data == nil {
				data = &documented.OpenTabData{}
			}
			fmt.Println("known", event.Type, text(data.OpenedFrom), text(data.Name))
		default:
			fmt.Println("known", event.EventType())
		}
	}
	for _, body := range bodies["observed"] {
		event, _ := observed.ParseEvent([]byte(body))
		if event, ok := event.(*observed.UnknownEvent); ok {
			fmt.Println("unknown", event.Type, string(event.Payload))
			continue
		}
		fmt.Println("known", event.EventType())
	}
}
`

export const php = `<?php
require 'documented.php';
require 'observed.php';
foreach (json_decode(file_get_contents('bodies.json'), true) as $model => $bodies) {
    foreach ($bodies as $body) {
        $event = ($model . '\\\\WebhookEvents')::parse($body);
        if ($event === null) {
            echo "none\\n";
        } elseif (str_ends_with($event::class, '\\\\UnknownEvent')) {
            echo "unknown {$event->type} {$event->rawBody}\\n";
        } elseif ($model === 'documented' && $event->type() === 'OPEN_TAB') {
            echo 'known OPEN_TAB ', $event->data?->openedFrom ?? 'None', ' ', $event->data?->name ?? 'None', "\\n";
        } else {
            echo "known {$event->type()}\\n";
        }
    }
}
`

export const java = `
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

public class Run {
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        JsonNode bodies = new JsonMapper().readTree(new File("bodies.json"));
        for (JsonNode body : bodies.get("documented")) {
            var event = documented.WebhookEvent.parse(body.textValue().getBytes(StandardCharsets.UTF_8)).orElse(null);
            if (event == null) out.println("none");
            else if (event instanceof documented.WebhookEvent.UnknownEvent unknown) out.println("unknown " + unknown.type() + " " + unknown.payload());
            else if (event instanceof documented.WebhookEvent.OpenTabEvent tab && tab.data() != null)
                out.println("known OPEN_TAB " + text(tab.data().openedFrom()) + " " + text(tab.data().name()));
            else out.println("known " + event.type());
        }
        for (JsonNode body : bodies.get("observed")) {
            var event = observed.WebhookEvent.parse(body.textValue().getBytes(StandardCharsets.UTF_8)).orElseThrow();
            if (event instanceof observed.WebhookEvent.UnknownEvent unknown) out.println("unknown " + unknown.type() + " " + unknown.payload());
            else out.println("known " + event.type());
        }
    }

    static String text(String text) {
        return text == null ? "None" : text;
    }
}
`

/** For the type checker: the type of an event decides the type of its data. */
export const narrowing = (file: string): string => `
import { isWebhookEvent, parseEvent } from './${file}.ts'

const event = parseEvent('')
if (event && isWebhookEvent(event)) {
  switch (event.type) {
    case 'OPEN_TAB': {
      const openedFrom: string | null | undefined = event.data?.openedFrom
      const known: typeof openedFrom = 'ACME_MENU'
      void known
      break
    }
    case 'ORDER_PLACED':
      event.data.total.toFixed(2)
      // @ts-expect-error -- of another type
      void event.data.openedFrom
      break
    // @ts-expect-error -- no such type
    case 'OTHER':
      break
  }
}
`
