//! The list of the server's tools: read whole, compared with the pins, and shown.

use super::*;

impl Proxy {
    /// Reads the tools of the server, unless that is under way.
    pub(super) fn list(&mut self) {
        if self.state.listing.is_some() {
            return;
        }
        let number = self.number();
        self.state.listing = Some(Listing { number, ..Listing::default() });
        self.tell_server(&rpc::request(number, "tools/list", &Map::new()));
    }

    pub(super) fn listed(&mut self, outcome: Outcome) {
        let Some(mut listing) = self.state.listing.take() else { return };
        let mut page = match outcome {
            Ok(page) => page,
            Err(error) => return self.listing_failed(&error),
        };
        let Some(tools) = page.get_mut("tools").and_then(Value::as_array_mut) else {
            return self.listing_failed(&rpc::error(FAILED, "the server's list of tools cannot be read"));
        };
        listing.tools.append(tools);
        listing.pages += 1;
        if listing.tools.len() > MOST_TOOLS || listing.pages > MOST_PAGES {
            return self.listing_failed(&rpc::error(FAILED, "the server's list of tools is too long"));
        }
        if let Some(cursor) = page.get("nextCursor").filter(|cursor| !cursor.is_null()) {
            let params = Map::from_iter([("cursor".to_owned(), cursor.clone())]);
            listing.number = self.number();
            self.tell_server(&rpc::request(listing.number, "tools/list", &params));
            self.state.listing = Some(listing);
            return;
        }
        if listing.is_stale {
            return self.list();
        }
        match Catalogue::new(listing.tools, &self.pins, &self.identity) {
            Ok(catalogue) => self.catalogued(catalogue),
            Err(error) => {
                let why = format!("the pins of this server's tools cannot be used: {error}");
                remark(&why);
                self.listing_failed(&rpc::error(FAILED, &why));
            }
        }
    }

    pub(super) fn catalogued(&mut self, catalogue: Catalogue) {
        for (name, why) in catalogue.refused() {
            remark(&format!("the tool `{}` is held back: {why}", sanitize::one_line(name, 100)));
        }
        let waiting = catalogue.waiting();
        let question = catalogue.question(&self.identity);
        let is_asked =
            !waiting.is_empty() && self.state.client_asks && self.settings.changes == ChangedTools::Ask;
        self.state.catalogue = Some(catalogue);
        if is_asked {
            let number = self.number();
            self.state.to_client.insert(number, ToClient::Tools(waiting));
            let params = elicitation(&question, "Accept these tools");
            return self.tell_client(&rpc::request(number, "elicitation/create", &params));
        }
        if !waiting.is_empty() {
            remark(&format!(
                "{question}They are held back until `checkrein mcp-pins --accept {}`",
                self.identity
            ));
        }
        self.tools_are_known();
    }

    pub(super) fn tools_answered(&mut self, digests: &BTreeMap<String, String>, approved: bool) {
        if approved {
            match (self.pins.accept(&self.identity, digests), &mut self.state.catalogue) {
                (Ok(accepted), Some(catalogue)) => catalogue.accept(&accepted),
                (Ok(_), None) => {}
                (Err(error), _) => remark(&format!("the pins cannot be written: {error}")),
            }
        }
        self.tools_are_known();
    }

    /// Answers the requests that waited for the list, and continues with the calls.
    pub(super) fn tools_are_known(&mut self) {
        let Some(catalogue) = &self.state.catalogue else {
            // The list changed while the user was asked.
            return self.list();
        };
        let shown = catalogue.shown();
        for number in self.who_list() {
            self.reply(number, Ok(json!({"tools": shown})));
        }
        self.advance();
    }

    pub(super) fn listing_failed(&mut self, error: &Value) {
        for number in self.who_list() {
            self.reply(number, Err(error.clone()));
        }
        // Without a list there is no call that can be told from another.
        for number in std::mem::take(&mut self.state.queue) {
            self.refuse(number, "the tools of this server cannot be listed, so none of them can be called");
        }
    }

    pub(super) fn who_list(&self) -> Vec<u64> {
        let lists = |(number, open): (&u64, &Open)| matches!(open.what, What::ListTools).then_some(*number);
        self.state.open.iter().filter_map(lists).collect()
    }
}
