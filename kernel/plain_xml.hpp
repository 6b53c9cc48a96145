// Parse XML files that are written plainly, as nearly all page files are: UTF-8, no document type, no comments,
// sections or processing instructions, names of ASCII characters, and elements that have either text or children.
//
// Any other file is declined, also one that may not be well-formed. A complete parser then reads it or reports what is
// wrong. So a file that is accepted here must be well-formed (XML 1.0, with namespaces) and mean the same to both.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "indexing.hpp"

namespace pagemeter {

struct XmlAttribute {
    std::string_view name;  // with a prefix, {namespace}name
    std::string_view value;
};

struct XmlNode {
    int tag;
    int first_attribute;
    int attributes = 0;
    int first_child = -1;
    int next = -1;  // the next sibling
    int children = 0;
    std::string_view text{};
};

// The elements of a file in document order; the first one is the root. The data must stay valid.
class PlainXml {
  public:
    static std::optional<PlainXml> parse(std::string_view data) {
        PlainXml xml(data);
        if (data.size() > kMostBytes || !xml.has_plain_characters() || !xml.document()) return std::nullopt;
        return xml;
    }

    PlainXml(PlainXml&&) = default;  // a copy would refer to the names and values of the original
    PlainXml& operator=(PlainXml&&) = default;

    const XmlNode& node(int i) const { return nodes_[i]; }
    const Vector<std::string>& tags() const { return tags_; }  // {namespace}name

    View<const XmlAttribute> attributes(const XmlNode& node) const {
        return View<const XmlAttribute>(attributes_).subspan(node.first_attribute, node.attributes);
    }
    // The value of an attribute; its data is null if there is none.
    std::string_view attribute(const XmlNode& node, std::string_view name) const {
        for (const XmlAttribute& a : attributes(node)) {
            if (a.name == name) return a.value;
        }
        return {};
    }

  private:
    // Complete parsers limit these too, and much less is usual.
    static constexpr std::size_t kMostBytes = 8'000'000;
    static constexpr std::size_t kMostTags = 1'000;
    static constexpr std::size_t kMostOpen = 200;
    static constexpr int kMostAttributes = 50;
    static constexpr std::size_t kMostScopes = 100;
    static constexpr std::size_t kLongestName = 200;
    static constexpr std::size_t kLongestNamespace = 500;
    static constexpr std::size_t kLongestBlank = 200;  // between elements; other parsers may keep a part of more

    struct Name {
        std::string_view whole;
        std::string_view prefix;
        std::string_view local;
    };
    struct Given {
        Name name;
        std::string_view value;
    };
    struct Scope {
        std::string_view prefix;
        std::string_view name;  // the namespace
        std::size_t depth;
    };
    struct Open {
        int node;
        int last_child;
        std::string_view name;
    };

    explicit PlainXml(std::string_view data) : data_(data) {}

    // Characters

    // True if the data is UTF-8 and has only characters that XML allows.
    bool has_plain_characters() const {
        const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(data_[i]); };
        const auto follows = [&](std::size_t i) { return i < data_.size() && (byte(i) & 0xC0) == 0x80; };
        for (std::size_t i = 0; i < data_.size();) {
            if (i + kWord <= data_.size() && are_visible_ascii(data_.data() + i)) {
                i += kWord;
                continue;
            }
            const std::uint32_t a = byte(i);
            if (a < 0x80) {
                if (a < 0x20 && !is_blank(data_[i])) return false;
                i += 1;
            } else if (a >= 0xC2 && a < 0xE0) {
                if (!follows(i + 1)) return false;
                i += 2;
            } else if (a >= 0xE0 && a < 0xF0) {
                if (!follows(i + 1) || !follows(i + 2)) return false;
                const std::uint32_t point = (a & 0xF) << 12 | (byte(i + 1) & 0x3Fu) << 6 | (byte(i + 2) & 0x3Fu);
                if (point < 0x800 || !is_character(point)) return false;
                i += 3;
            } else if (a >= 0xF0 && a < 0xF5) {
                if (!follows(i + 1) || !follows(i + 2) || !follows(i + 3)) return false;
                const std::uint32_t point = (a & 7) << 18 | (byte(i + 1) & 0x3Fu) << 12;
                if (point < 0x10000 || point > 0x10FFFF) return false;
                i += 4;
            } else {
                return false;
            }
        }
        return true;
    }

    static constexpr std::size_t kWord = sizeof(std::uint64_t);

    // True if eight characters are ASCII without control characters.
    static bool are_visible_ascii(const char* text) {
        std::uint64_t word = 0;
        std::memcpy(&word, text, kWord);
        constexpr std::uint64_t high = 0x8080808080808080u;
        constexpr std::uint64_t first = 0x2020202020202020u;
        return ((word | (word - first)) & high) == 0;
    }

    static bool is_character(std::uint32_t point) {
        if (point < 0x20) return point == '\t' || point == '\n' || point == '\r';
        return point < 0xD800 || (point > 0xDFFF && point < 0xFFFE) || (point > 0xFFFF && point <= 0x10FFFF);
    }

    static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
    static bool is_letter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_'; }
    static bool is_digit(char c) { return '0' <= c && c <= '9'; }

    char now() const { return at_ < data_.size() ? data_[at_] : '\0'; }
    bool taken(std::string_view expected) {
        const bool is = data_.substr(at_, expected.size()) == expected;
        at_ += is ? expected.size() : 0;
        return is;
    }
    bool skip_blanks() {
        const std::size_t begin = at_;
        while (at_ < data_.size() && is_blank(data_[at_])) ++at_;
        return at_ > begin;
    }

    // The structure of a file

    bool document() {
        taken("\xEF\xBB\xBF");
        if (data_.substr(at_, 5) == "<?xml" && !declaration()) return false;
        skip_blanks();
        do {
            if (now() != '<' || !(data_.substr(at_, 2) == "</" ? end_tag() : start_tag())) return false;
            if (!open_.empty() && !text()) return false;
        } while (!open_.empty());
        skip_blanks();
        return at_ == data_.size();
    }

    bool declaration() {
        at_ += 5;
        std::string_view version;
        std::string_view encoding = "utf-8";
        std::string_view standalone = "yes";
        if (!pseudo_attribute("version", version) || version != "1.0") return false;
        pseudo_attribute("encoding", encoding);
        pseudo_attribute("standalone", standalone);
        std::string lower(encoding);
        for (char& c : lower) c = static_cast<char>('A' <= c && c <= 'Z' ? c - 'A' + 'a' : c);
        skip_blanks();
        return lower == "utf-8" && (standalone == "yes" || standalone == "no") && taken("?>");
    }

    bool pseudo_attribute(std::string_view name, std::string_view& value) {
        const std::size_t begin = at_;
        if (skip_blanks() && taken(name) && equals_sign() && quoted(value)) return true;
        at_ = begin;
        return false;
    }

    bool equals_sign() {
        skip_blanks();
        if (!taken("=")) return false;
        skip_blanks();
        return true;
    }

    // A value between quotes, before references are replaced.
    bool quoted(std::string_view& value) {
        const char quote = now();
        if (quote != '"' && quote != '\'') return false;
        const std::size_t end = data_.find(quote, ++at_);
        if (end == std::string_view::npos) return false;
        value = data_.substr(at_, end - at_);
        at_ = end + 1;
        return true;
    }

    bool name(Name& name) {
        const std::size_t begin = at_;
        std::size_t colon = std::string_view::npos;
        for (; at_ < data_.size(); ++at_) {
            const char c = data_[at_];
            const bool starts = at_ == begin || at_ == colon + 1;
            if (c == ':' && !starts && colon == std::string_view::npos) colon = at_;
            else if (!is_letter(c) && (starts || (!is_digit(c) && c != '.' && c != '-'))) break;
        }
        name.whole = data_.substr(begin, at_ - begin);
        const bool has_prefix = colon != std::string_view::npos;
        name.prefix = has_prefix ? data_.substr(begin, colon - begin) : std::string_view{};
        name.local = has_prefix ? data_.substr(colon + 1, at_ - colon - 1) : name.whole;
        return !name.local.empty() && name.whole.size() <= kLongestName && name.prefix != "xml";
    }

    bool start_tag() {
        ++at_;
        Name tag;
        if (!name(tag) || open_.size() >= kMostOpen) return false;
        given_.clear();
        for (;;) {
            const bool apart = skip_blanks();
            if (now() == '>' || now() == '/') break;
            Given given;
            if (!apart || !name(given.name) || !equals_sign() || !quoted(given.value)) return false;
            if (!resolve(given.value, true) || given_.count() >= kMostAttributes) return false;
            const bool is_default = given.name.whole == "xmlns";
            if (is_default || given.name.prefix == "xmlns") {
                if (!declare(is_default ? std::string_view{} : given.name.local, given.value)) return false;
            } else {
                given_.push_back(given);
            }
        }
        const int number = nodes_.count();
        const int tag_number = tag_of(tag);
        if (tag_number < 0) return false;
        nodes_.push_back({.tag = tag_number, .first_attribute = attributes_.count()});
        if (!add_attributes(nodes_.back())) return false;
        if (!open_.empty()) {
            Open& parent = open_.back();
            ++nodes_[parent.node].children;
            (parent.last_child < 0 ? nodes_[parent.node].first_child : nodes_[parent.last_child].next) = number;
            parent.last_child = number;
        }
        open_.push_back({number, -1, tag.whole});
        if (taken("/>")) {
            leave();
            return true;
        }
        return taken(">");
    }

    bool end_tag() {
        at_ += 2;
        if (open_.empty() || !taken(open_.back().name)) return false;
        skip_blanks();
        leave();
        return taken(">");
    }

    void leave() {
        open_.pop_back();
        while (!scopes_.empty() && scopes_.back().depth > open_.size()) {
            scopes_.pop_back();
            tag_numbers_.clear();
        }
    }

    // The text up to the next tag. Text next to elements may only be white space, which is dropped.
    bool text() {
        const std::size_t end = data_.find('<', at_);
        if (end == std::string_view::npos) return false;
        std::string_view raw = data_.substr(at_, end - at_);
        at_ = end;
        XmlNode& node = nodes_[open_.back().node];
        if (node.children == 0 && data_.substr(at_, 2) == "</") {
            // Other parsers drop white space before a carriage return as if it were between elements.
            const bool is_ambiguous = !raw.empty() && is_blank(raw[0]) && raw.find('\r') != std::string_view::npos;
            if (is_ambiguous || raw.find("]]>") != std::string_view::npos || !resolve(raw, false)) return false;
            node.text = raw;
            return true;
        }
        return raw.size() <= kLongestBlank && std::all_of(raw.begin(), raw.end(), is_blank);
    }

    // Namespaces

    bool declare(std::string_view prefix, std::string_view name) {
        // Complete parsers refuse namespaces that are no URI. All of these are one.
        const auto is_usual = [](char c) {
            return is_letter(c) || is_digit(c) || std::string_view("/.?=-~").find(c) != std::string_view::npos;
        };
        std::string_view rest = name;
        for (std::string_view scheme : {"https://", "http://"}) {
            if (name.starts_with(scheme)) rest = name.substr(scheme.size());
        }
        const std::size_t depth = open_.size() + 1;
        for (const Scope& scope : scopes_) {
            if (scope.depth == depth && scope.prefix == prefix) return false;
        }
        if (rest.empty() || name.size() > kLongestNamespace || !std::all_of(rest.begin(), rest.end(), is_usual)) {
            return false;
        }
        if (name.find("www.w3.org/XML/1998") != std::string_view::npos || prefix == "xmlns" || prefix == "xml" ||
            name.find("www.w3.org/2000/xmlns") != std::string_view::npos || scopes_.size() >= kMostScopes) {
            return false;
        }
        scopes_.push_back({prefix, name, depth});
        tag_numbers_.clear();
        return true;
    }

    // Returns {namespace}name; false if the prefix is not declared.
    bool expand(const Name& name, bool with_default, std::string& out) const {
        out.clear();
        if (!name.prefix.empty() || with_default) {
            const auto scope = std::find_if(scopes_.rbegin(), scopes_.rend(),
                                            [&](const Scope& s) { return s.prefix == name.prefix; });
            if (scope != scopes_.rend()) out.append("{").append(scope->name).append("}");
            else if (!name.prefix.empty()) return false;
        }
        out.append(name.local);
        return true;
    }

    int tag_of(const Name& name) {
        const auto known = tag_numbers_.find(name.whole);
        if (known != tag_numbers_.end()) return known->second;
        std::string tag;
        if (!expand(name, true, tag) || tags_.size() >= kMostTags) return -1;
        tags_.push_back(std::move(tag));
        tag_numbers_.emplace(name.whole, tags_.count() - 1);
        return tags_.count() - 1;
    }

    bool add_attributes(XmlNode& node) {
        for (const Given& given : given_) {
            std::string_view key = given.name.local;
            if (!given.name.prefix.empty()) {
                std::string expanded;
                if (!expand(given.name, false, expanded)) return false;
                kept_names_ += expanded.size();
                if (kept_names_ > data_.size()) return false;  // a long namespace of many attributes
                key = kept_.emplace_back(std::move(expanded));
            }
            if (attribute(node, key).data()) return false;  // twice
            attributes_.push_back({key, given.value});
            ++node.attributes;
        }
        return true;
    }

    // References and line ends

    static constexpr std::uint8_t kSpecialInAttribute = 1;
    static constexpr std::uint8_t kSpecialInText = 2;
    static constexpr auto kSpecial = [] {
        std::array<std::uint8_t, 256> kinds{};
        for (char c : {'&', '<', '\r', '\n', '\t'}) kinds[static_cast<std::size_t>(c)] |= kSpecialInAttribute;
        for (char c : {'&', '\r'}) kinds[static_cast<std::size_t>(c)] |= kSpecialInText;
        return kinds;
    }();

    // Replaces references, and line ends as XML does. In attributes, white space becomes spaces.
    bool resolve(std::string_view& value, bool in_attribute) {
        const auto find_special = [&](std::size_t at) {
            const std::uint8_t kinds = in_attribute ? kSpecialInAttribute : kSpecialInText;
            while (at < value.size() && !(kSpecial[static_cast<std::uint8_t>(value[at])] & kinds)) ++at;
            return at;
        };
        std::size_t next = find_special(0);
        if (next == value.size()) return true;
        std::string out;
        for (std::size_t at = 0;; next = find_special(at)) {
            out.append(value.substr(at, next - at));
            if (next == value.size()) break;
            at = next + 1;
            const char c = value[next];
            if (c == '<') return false;
            if (c == '&') {
                const std::size_t end = value.find(';', at);
                if (end == std::string_view::npos || !append_reference(value.substr(at, end - at), out)) return false;
                at = end + 1;
            } else if (c == '\r') {
                if (at < value.size() && value[at] == '\n') ++at;
                out.push_back(in_attribute ? ' ' : '\n');
            } else {
                out.push_back(' ');
            }
        }
        value = kept_.emplace_back(std::move(out));
        return true;
    }

    static bool append_reference(std::string_view name, std::string& out) {
        static constexpr std::array<std::pair<std::string_view, char>, 5> kNamed{
            {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
        for (const auto& [known, c] : kNamed) {
            if (name == known) {
                out.push_back(c);
                return true;
            }
        }
        const bool is_hexadecimal = name.starts_with("#x");
        const std::string_view digits = name.substr(std::min<std::size_t>(name.size(), is_hexadecimal ? 2 : 1));
        if (!name.starts_with('#') || digits.empty() || digits.size() > 7) return false;
        std::uint32_t point = 0;
        for (char c : digits) {
            const char lower = static_cast<char>(c | 0x20);
            int digit = -1;
            if (is_digit(c)) digit = c - '0';
            else if (is_hexadecimal && 'a' <= lower && lower <= 'f') digit = lower - 'a' + 10;
            if (digit < 0) return false;
            point = point * (is_hexadecimal ? 16 : 10) + static_cast<std::uint32_t>(digit);
        }
        if (!is_character(point)) return false;
        const auto add = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
        if (point < 0x80) {
            add(point);
        } else if (point < 0x800) {
            add(0xC0 | point >> 6);
            add(0x80 | (point & 0x3F));
        } else {
            if (point < 0x10000) {
                add(0xE0 | point >> 12);
            } else {
                add(0xF0 | point >> 18);
                add(0x80 | (point >> 12 & 0x3F));
            }
            add(0x80 | (point >> 6 & 0x3F));
            add(0x80 | (point & 0x3F));
        }
        return true;
    }

    std::string_view data_;
    std::size_t at_ = 0;
    Vector<XmlNode> nodes_;
    Vector<XmlAttribute> attributes_;
    Vector<std::string> tags_;
    std::deque<std::string> kept_;  // names and values that differ from the data
    std::size_t kept_names_ = 0;  // the size of the names among them
    Vector<Open> open_;
    Vector<Scope> scopes_;
    Vector<Given> given_;  // attributes of the present element, without namespaces
    std::unordered_map<std::string_view, int> tag_numbers_;  // in the present scopes
};

}  // namespace pagemeter
