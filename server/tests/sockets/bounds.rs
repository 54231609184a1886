//! The schema and the server have the same bounds: for each bound, the server accepts a value just inside and refuses one just outside,
//! over a socket.

use grundy_server::config::Creators;
use grundy_shared::bounds::{ENTRANTS, MATCHES_PER_PLAYER_MAX};
use grundy_shared::protocol::INTEGER_MAX;
use grundy_shared::protocol::schema::json_schema;
use serde_json::{Map, Value, json};

use crate::common::{Plan, Server};

/// A field of a request, and the request around it.
struct Place {
    /// The path from the body, as `clock.base_ms`.
    path: String,
    /// Its schema.
    schema: Value,
    /// A request that has this field.
    request: Value,
}

/// The schema of all messages.
struct Schema(Value);

impl Schema {
    fn new() -> Self {
        Self(serde_json::from_str(&json_schema()).expect("the schema is JSON"))
    }

    /// The schema that a reference names, merged with the keywords beside the reference.
    fn resolved(&self, schema: &Value) -> Value {
        let Some(name) = schema["$ref"].as_str() else {
            return schema.clone();
        };
        let name = name.rsplit('/').next().expect("a name");
        let mut found = self.resolved(&self.0["$defs"][name]);
        let fields = found.as_object_mut().expect("a schema");
        for (key, value) in schema.as_object().expect("a schema") {
            fields.insert(key.clone(), value.clone());
        }
        found
    }

    /// The forms that a value may have; `null` is left out.
    fn forms(&self, schema: &Value) -> Vec<Value> {
        let schema = self.resolved(schema);
        let forms = ["oneOf", "anyOf"]
            .iter()
            .find_map(|of| schema[of].as_array());
        let Some(forms) = forms else {
            return vec![schema];
        };
        let mut found: Vec<Value> = forms.iter().flat_map(|form| self.forms(form)).collect();
        found.retain(|form| form["type"] != "null");
        // A bound beside the forms applies to each of them.
        for form in &mut found {
            for key in ["minimum", "maximum"] {
                if !schema[key].is_null() {
                    form[key] = schema[key].clone();
                }
            }
        }
        found
    }

    fn requests(&self) -> Vec<Value> {
        self.forms(&json!({"$ref":"#/$defs/ClientMessage"}))
    }

    /// A value of this form that the server can read: the required fields only.
    fn example(&self, name: &str, form: &Value) -> Value {
        let known = match name {
            "position" => json!("nim:1,2"),
            "positions" => json!(["nim:1,2"]),
            "recipe" => json!("nim,heaps=3-5,max=15,count=32"),
            "match" | "tournament" | "challenge" | "seek" => json!("1111111111"),
            "code" => json!("KWQHRMTB"),
            "family" => json!("nim"),
            "move" => json!("A-1"),
            "scopes" => json!(["play"]),
            "password" => json!("correct horse battery"),
            "rules.games" => json!(2),
            "most" => json!(32),
            "games" => json!(1),
            _ => Value::Null,
        };
        if !known.is_null() {
            return known;
        }
        if !form["const"].is_null() {
            return form["const"].clone();
        }
        if let Some(values) = form["enum"].as_array() {
            return values[0].clone();
        }
        match form["type"].as_str() {
            Some("integer") => form["minimum"].clone(),
            Some("boolean") => json!(true),
            Some("string") => json!("q"),
            Some("array") => json!([]),
            _ => self.object(form),
        }
    }

    /// An object with its required fields.
    fn object(&self, form: &Value) -> Value {
        let required = form["required"].as_array().cloned().unwrap_or_default();
        let field = |name: Value| {
            let name = name.as_str().expect("a name").to_owned();
            let forms = self.forms(&form["properties"][&name]);
            // A tournament has a clock.
            let form = forms
                .iter()
                .find(|form| form["properties"]["base_ms"].is_object());
            let example = self.example(&name, form.unwrap_or(&forms[0]));
            (name, example)
        };
        Value::Object(required.into_iter().map(field).collect::<Map<_, _>>())
    }

    /// Every field of a request, those of its objects included.
    fn places(&self, request: &Value) -> Vec<Place> {
        let mut found = Vec::new();
        self.collect(request, "", &self.object(request), &mut found);
        found
    }

    fn collect(&self, form: &Value, within: &str, request: &Value, found: &mut Vec<Place>) {
        let Some(properties) = form["properties"].as_object() else {
            return;
        };
        for (name, schema) in properties {
            let path = match within {
                "" => name.clone(),
                _ => format!("{within}.{name}"),
            };
            for form in self.forms(schema) {
                let mut request = request.clone();
                *slot(&mut request, &path) = self.example(name, &form);
                self.collect(&form, &path, &request, found);
                found.push(Place {
                    path: path.clone(),
                    schema: form,
                    request,
                });
            }
        }
    }
}

/// The place of a field in a request.
fn slot<'v>(request: &'v mut Value, path: &str) -> &'v mut Value {
    path.split('.')
        .fold(request, |value, name| &mut value[name])
}

/// A text or a list of this length.
fn long(place: &Place, length: usize) -> Value {
    let name = place.path.rsplit('.').next().expect("a name");
    match (name, place.schema["items"].is_object()) {
        ("scopes", true) => json!(vec!["play"; length]),
        ("positions", true) => json!(vec!["nim:1,2"; length]),
        ("lines", true) => json!(vec![["A-1", "B-1"]; length]),
        (_, true) => json!(vec!["nim"; length]),
        // Spaces behind a position do not matter.
        ("position", _) if length > 7 => json!(format!("{:<length$}", "nim:1,2")),
        _ => json!("q".repeat(length)),
    }
}

/// Values at the bounds of a field, and whether each is inside.
fn values(place: &Place) -> Vec<(Value, bool)> {
    let schema = &place.schema;
    let mut values = Vec::new();
    if let Some(least) = schema["minimum"].as_u64() {
        values.push((json!(least), true));
        values.push((json!(i128::from(least) - 1), false));
    }
    if let Some(most) = schema["maximum"].as_u64() {
        values.push((json!(most), true));
        values.push((json!(most + 1), false));
    }
    for (least, most) in [("minLength", "maxLength"), ("minItems", "maxItems")] {
        let of = |key: &str| schema[key].as_u64().map(|length| length as usize);
        if let Some(least) = of(least) {
            values.push((long(place, least), true));
            values.push((long(place, least - 1), false));
        }
        if let Some(most) = of(most) {
            values.push((long(place, most), true));
            values.push((long(place, most + 1), false));
        }
    }
    values
}

/// Whether a reply says that this field is outside its bounds.
fn refuses(reply: &Value, path: &str) -> bool {
    let field = reply["field"].as_str().unwrap_or_default();
    // An object with a `type` is read as a whole, so the refusal names the object.
    let named = field == path
        || (!field.is_empty() && path.ends_with(&format!(".{field}")))
        || path.starts_with(&format!("{field}."));
    let codes = [
        "out_of_range",
        "bad_name",
        "bad_password",
        "bad_position",
        "unsupported_version",
    ];
    named && reply["type"] == "error" && codes.iter().any(|code| reply["code"] == *code)
}

async fn answer(server: &Server, kind: &str, request: &Value) -> Value {
    let mut client = match kind {
        "hello" | "login" | "recover" => server.connect().await,
        _ => server.guest("Ann").await,
    };
    client.ask(request.clone()).await
}

#[tokio::test]
async fn the_bounds_of_the_schema_are_those_of_the_server() {
    let server = Plan::with(|config| {
        config.limits.matches_per_player = MATCHES_PER_PLAYER_MAX as u32;
        config.limits.message_bytes = 65_536;
        config.tournaments.players = *ENTRANTS.end();
        config.tournaments.at_once = 1_000;
        config.tournaments.create = Creators::Players;
        config.limits.logins_per_minute_per_account = 100_000;
        config.limits.logins_per_ten_minutes_per_address = 100_000;
    })
    .start()
    .await;
    let schema = Schema::new();
    let (mut bounds, mut wrong) = (0, Vec::new());
    for request in schema.requests() {
        let kind = request["properties"]["type"]["const"].clone();
        let kind = kind.as_str().expect("a request has a type");
        for place in schema.places(&request) {
            for (value, inside) in values(&place) {
                let mut request = place.request.clone();
                if place.path == "format.seeds" {
                    request["admission"]["most"] = json!(ENTRANTS.end());
                }
                *slot(&mut request, &place.path) = value.clone();
                let reply = answer(&server, kind, &request).await;
                // A text of one letter is a bad position, whatever its length.
                let too_little =
                    inside && place.path == "position" && reply["code"] == "bad_position";
                if refuses(&reply, &place.path) == inside && !too_little {
                    let shown: String = value.to_string().chars().take(40).collect();
                    wrong.push(format!("{kind}.{} = {shown}: {reply}", place.path));
                }
                bounds += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert!(bounds > 200, "only {bounds} values were sent");
    server.stop().await;
}

#[tokio::test]
async fn the_bound_of_a_frames_id_is_that_of_the_server() {
    let schema = Schema::new().0;
    assert_eq!(
        schema["$defs"]["client_frame"]["properties"]["id"]["maximum"],
        INTEGER_MAX
    );
    let server = Server::start().await;
    let mut client = server.guest("Ann").await;
    let frame = |id: u64| json!({"id":id,"body":{"type":"ping"}}).to_string();
    client.send_text(frame(INTEGER_MAX)).await;
    assert_eq!(client.reply(INTEGER_MAX).await["type"], "pong");
    let refused = client.refusal(&frame(INTEGER_MAX + 1)).await;
    assert_eq!(refused["body"]["code"], "out_of_range");
    server.stop().await;
}

#[test]
fn every_number_of_a_request_is_bounded() {
    let schema = Schema::new();
    for request in schema.requests() {
        for place in schema.places(&request) {
            if place.schema["type"] == "integer" || place.schema["type"][0] == "integer" {
                let bounded = place.schema["minimum"].is_u64() && place.schema["maximum"].is_u64();
                assert!(bounded, "{}: {}", place.path, place.schema);
            }
        }
    }
}
