// Python bindings of plain XML: bytes in, elements with a part of the interface of lxml out.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>

#include <memory>
#include <string_view>

#include "plain_xml.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace pm = pagemeter;

namespace {

nb::str string(std::string_view text) { return nb::str(text.data(), text.size()); }
nb::object value_or(std::string_view value, const nb::object& other) { return value.data() ? string(value) : other; }

struct Document {
    nb::bytes data;
    pm::PlainXml xml;
    pm::Vector<nb::str> tags;
    pm::Vector<std::string_view> names;  // the tags without namespaces
};

class Element {
  public:
    Element(std::shared_ptr<const Document> document, int number) : document_(std::move(document)), number_(number) {}

    nb::str tag() const { return document_->tags[node().tag]; }
    nb::object text() const { return node().text.empty() ? nb::none() : nb::object(string(node().text)); }
    nb::object get(std::string_view name, const nb::object& other) const {
        return value_or(xml().attribute(node(), name), other);
    }
    int size() const { return node().children; }

    nb::list children() const {
        nb::list out;
        for (int i = node().first_child; i >= 0; i = xml().node(i).next) out.append(Element(document_, i));
        return out;
    }

    nb::list texts() const {
        nb::list out;
        append_texts(node(), out);
        return out;
    }

    // For a text line of PAGE XML with Coords, Baseline and one TextEquiv, as most lines have them: its attributes id,
    // custom and type, the points of Coords and Baseline, and its text. None for other elements.
    nb::object line_parts() const {
        const pm::XmlNode& line = node();
        if (line.children != 3) return nb::none();
        const pm::XmlNode& coords = xml().node(line.first_child);
        const pm::XmlNode& baseline = xml().node(coords.next);
        const pm::XmlNode& equiv = xml().node(baseline.next);
        if (name(coords) != "Coords" || name(baseline) != "Baseline" || name(equiv) != "TextEquiv" ||
            equiv.children != 1) {
            return nb::none();
        }
        const pm::XmlNode& unicode = xml().node(equiv.first_child);
        const std::string_view polygon = xml().attribute(coords, "points");
        const std::string_view points = xml().attribute(baseline, "points");
        if (name(unicode) != "Unicode" || unicode.children || polygon.empty() || points.empty()) return nb::none();
        return nb::make_tuple(value_or(xml().attribute(line, "id"), nb::none()),
                              string(xml().attribute(line, "custom")),
                              value_or(xml().attribute(line, "type"), nb::none()), string(polygon), string(points),
                              string(unicode.text));
    }

  private:
    const pm::PlainXml& xml() const { return document_->xml; }
    const pm::XmlNode& node() const { return xml().node(number_); }
    std::string_view name(const pm::XmlNode& node) const { return document_->names[node.tag]; }

    void append_texts(const pm::XmlNode& node, nb::list& out) const {
        if (!node.text.empty()) out.append(string(node.text));
        for (int i = node.first_child; i >= 0; i = xml().node(i).next) append_texts(xml().node(i), out);
    }

    std::shared_ptr<const Document> document_;
    int number_;
};

std::optional<Element> parse(nb::bytes data) {
    std::optional<pm::PlainXml> xml = pm::PlainXml::parse({data.c_str(), data.size()});
    if (!xml) return std::nullopt;
    const auto document = std::make_shared<Document>(Document{std::move(data), std::move(*xml), {}, {}});
    for (const std::string& tag : document->xml.tags()) {
        document->tags.push_back(string(tag));
        document->names.push_back(std::string_view(tag).substr(tag.rfind('}') + 1));
    }
    return Element(document, 0);
}

}  // namespace

void bind_xml(nb::module_& m) {
    nb::class_<Element>(m, "XmlElement")
        .def_prop_ro("tag", &Element::tag)
        .def_prop_ro("text", &Element::text)
        .def("get", &Element::get, "name"_a, "default"_a = nb::none())
        .def("itertext", [](const Element& element) { return element.texts(); })
        .def("line_parts", &Element::line_parts)
        .def("__len__", &Element::size)
        .def("__iter__", [](const Element& element) { return nb::iter(element.children()); })
        .def("__getitem__", [](const Element& element, const nb::object& index) {
            return nb::object(nb::object(element.children())[index]);
        });
    m.def("parse_plain_xml", &parse, "data"_a);
}
